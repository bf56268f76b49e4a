//! `FetchStore`: the store that a command keeps fetches in: a file, or memory. One that exists and
//! cannot be used is replaced by an `UnusableStore`: decisions continue from memory, and say why they
//! are not kept.

use core::ops::Range;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use verger_access::{Authority, Timestamp};
use verger_store::{
    Acquisition, BodyHash, Delivery, Lease, MemoryStore, Observation, OpenError, Snapshot,
    SnapshotId, Stat, Store, StoreError, StoredState, Swept,
};

use crate::notice;
use crate::store_arguments::{StoreArguments, StorePathError};

/// How many octets a store in memory takes at most.
const MEMORY_OCTETS_MAX: usize = 256 << 20;

/// The store that a command keeps fetches in.
pub(crate) struct FetchStore {
    pub(crate) store: Arc<dyn Store>,
    /// Its file; `None` where it is in memory, and gone with the process.
    pub(crate) path: Option<PathBuf>,
}

impl FetchStore {
    /// A store in memory. Where there are more sites than it may hold, it forgets some.
    pub(crate) fn in_memory() -> Self {
        Self {
            store: Arc::new(MemoryStore::new(MEMORY_OCTETS_MAX)),
            path: None,
        }
    }

    /// Opens the store. One that is damaged keeps nothing and says so. Where no file is named and the
    /// default one cannot be made, the store is in memory, which a note says. A file that is no store is
    /// an error.
    ///
    /// # Errors
    ///
    /// Where there is no store to open, and none can be made where it is named; and where this machine
    /// lacks something, such as room on the disk.
    pub(crate) fn open(arguments: &StoreArguments) -> Result<Self, Box<dyn Error>> {
        let path = arguments.path().ok();
        let error = match arguments.open() {
            Ok(store) => {
                let store: Arc<dyn Store> = Arc::new(store);
                return Ok(Self { store, path });
            }
            Err(error) => error,
        };
        let is_there = match error.downcast_ref() {
            Some(OpenError::Damaged(..)) => true,
            Some(OpenError::Unopenable(path, _)) => path.is_file(),
            _ => false,
        };
        if is_there {
            let why = error.to_string();
            let store: Arc<dyn Store> = Arc::new(UnusableStore { why });
            return Ok(Self { store, path });
        }
        // A name that is given may be mistyped.
        if arguments.named().is_none() && cannot_be_made(&*error) {
            notice::note(format_args!("nothing is kept after this run: {error}"));
            return Ok(Self::in_memory());
        }
        Err(error)
    }
}

fn cannot_be_made(error: &(dyn Error + 'static)) -> bool {
    let has_no_directory = error.downcast_ref::<StorePathError>().is_some();
    has_no_directory || matches!(error.downcast_ref(), Some(OpenError::Unopenable(..)))
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

    fn delivery(&self, _: &Authority, _: &str) -> Result<Option<Delivery>, StoreError> {
        self.failed()
    }

    fn put_delivery(&self, _: &Authority, _: &str, _: &Delivery) -> Result<(), StoreError> {
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
