//! `UnusableStore`: replaces a store that exists and cannot be used, so that answers go on from memory
//! and say why they are not kept.

use core::ops::Range;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use verger_access::{Authority, Timestamp};
use verger_store::{
    Acquisition, BodyHash, Lease, Observation, OpenError, Snapshot, SnapshotId, Stat, Store,
    StoreError, StoredState, Swept,
};

use crate::store_arguments::StoreArguments;

/// The store that fetches are kept in. One that is damaged, or on a disk that is full, keeps
/// nothing and says so; a file that is no store is an error.
///
/// # Errors
///
/// Where there is no store to open, and none can be made.
pub(crate) fn store_or_unusable(
    arguments: &StoreArguments,
) -> Result<Arc<dyn Store>, Box<dyn Error>> {
    let error = match arguments.open() {
        Ok(store) => return Ok(Arc::new(store)),
        Err(error) => error,
    };
    match error.downcast_ref() {
        Some(OpenError::Damaged(..)) => {}
        // Where no file could be made, the argument may be mistyped.
        Some(OpenError::Unopenable(path, _)) if path.is_file() => {}
        _ => return Err(error),
    }
    Ok(Arc::new(UnusableStore {
        why: error.to_string(),
    }))
}

/// A store in which every operation fails, for one reason.
struct UnusableStore {
    why: String,
}

impl UnusableStore {
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

    fn append(&self, _: &[Observation], _: &Lease) -> Result<Vec<SnapshotId>, StoreError> {
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

    fn sweep(&self, _: Timestamp, _: Timestamp) -> Result<Swept, StoreError> {
        self.failed()
    }

    fn authorities(&self, _: Option<&Authority>, _: usize) -> Result<Vec<Authority>, StoreError> {
        self.failed()
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        self.failed()
    }
}
