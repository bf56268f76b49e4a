//! `ForgetfulStore`: a store that keeps nothing. Only the client uses memory.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use verger_access::{Authority, Timestamp};
use verger_store::{
    Acquisition, BodyHash, CallCost, Lease, MemoryStore, Observation, Snapshot, SnapshotId, Store,
    StoreError, StoredState,
};

/// Maximum size of the leases in bytes.
const BYTES_MAX: usize = 1 << 20;

pub(crate) struct ForgetfulStore {
    leases: MemoryStore,
}

impl ForgetfulStore {
    pub(crate) fn new() -> Self {
        Self {
            leases: MemoryStore::new(BYTES_MAX),
        }
    }
}

impl Store for ForgetfulStore {
    fn call_cost(&self) -> CallCost {
        self.leases.call_cost()
    }

    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError> {
        self.leases.acquire(authority, holder, now, duration)
    }

    fn renew(
        &self,
        lease: &Lease,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Lease, StoreError> {
        self.leases.renew(lease, now, duration)
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        self.leases.release(lease)
    }

    fn put(&self, _: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError> {
        self.leases.release(lease)?;
        Ok(SnapshotId(1))
    }

    fn latest(&self, _: &Authority) -> Result<Option<StoredState>, StoreError> {
        Ok(None)
    }

    fn state_at(&self, _: &Authority, _: Timestamp) -> Result<Option<StoredState>, StoreError> {
        Ok(None)
    }

    fn snapshots(
        &self,
        _: &Authority,
        _: Range<Timestamp>,
        _: SnapshotId,
        _: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        Ok(Vec::new())
    }

    fn snapshots_before(
        &self,
        _: &Authority,
        _: SnapshotId,
        _: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        Ok(Vec::new())
    }

    fn body(&self, _: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        Ok(None)
    }
}
