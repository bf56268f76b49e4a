//! `UnusableStore`: replaces a store that cannot be used.

use core::ops::Range;
use core::time::Duration;
use std::sync::Arc;

use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::deliveries::Deliveries;
use crate::delivery::Delivery;
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::store::Store;
use crate::store_error::StoreError;
use crate::stored_state::StoredState;

/// A store whose every operation fails for one reason. A client with it still decides, and reports why nothing is
/// stored.
#[derive(Clone, Debug)]
pub struct UnusableStore {
    why: String,
}

impl UnusableStore {
    /// Creates a store that fails with this reason, a sentence.
    #[must_use]
    pub fn new(why: String) -> Self {
        Self { why }
    }

    fn failed<T>(&self) -> Result<T, StoreError> {
        Err(StoreError::Backend(self.why.clone().into()))
    }
}

impl Store for UnusableStore {
    fn acquire(
        &self,
        _: &Authority,
        _: &str,
        _: Timestamp,
        _: Duration,
    ) -> Result<Acquisition, StoreError> {
        self.failed()
    }

    fn renew(&self, _: &Lease, _: Timestamp, _: Duration) -> Result<Lease, StoreError> {
        self.failed()
    }

    fn release(&self, _: &Lease) -> Result<(), StoreError> {
        self.failed()
    }

    fn put(&self, _: &Observation, _: &Lease) -> Result<SnapshotId, StoreError> {
        self.failed()
    }

    fn latest(&self, _: &Authority) -> Result<Option<StoredState>, StoreError> {
        self.failed()
    }

    fn state_at(&self, _: &Authority, _: Timestamp) -> Result<Option<StoredState>, StoreError> {
        self.failed()
    }

    fn snapshots(
        &self,
        _: &Authority,
        _: Range<Timestamp>,
        _: SnapshotId,
        _: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        self.failed()
    }

    fn snapshots_before(
        &self,
        _: &Authority,
        _: SnapshotId,
        _: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        self.failed()
    }

    fn body(&self, _: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.failed()
    }
}

impl Deliveries for UnusableStore {
    fn delivery(&self, _: &Authority, _: &str) -> Result<Option<Delivery>, StoreError> {
        self.failed()
    }

    fn put_delivery(&self, _: &Authority, _: &str, _: &Delivery) -> Result<(), StoreError> {
        self.failed()
    }
}
