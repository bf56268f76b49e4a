//! `FetchStore`: the store that a command keeps fetches in: a file, or memory. One that exists and
//! cannot be used is replaced by an `UnusableStore`: decisions continue from memory, and say why they
//! are not kept.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use verger_store::{KeptStoreError, MemoryStore, OpenError, Store, UnusableStore};

use crate::arguments::store::{StoreArguments, StorePathError};
use crate::screen::notice;

/// How many bytes a store in memory takes at most.
const MEMORY_BYTES_MAX: usize = 256 << 20;

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
            store: Arc::new(MemoryStore::new(MEMORY_BYTES_MAX)),
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
            Ok(kept) => {
                let (store, path) = (kept.shared(), Some(kept.name().into()));
                return Ok(Self { store, path });
            }
            Err(error) => error,
        };
        let is_there = match error.downcast_ref() {
            Some(KeptStoreError::File(OpenError::Damaged(..))) => true,
            Some(KeptStoreError::File(OpenError::Unopenable(path, _))) => path.is_file(),
            Some(kept) => kept.is_away(),
            None => false,
        };
        if is_there {
            let why = error.to_string();
            let store: Arc<dyn Store> = Arc::new(UnusableStore::new(why));
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
    has_no_directory
        || matches!(
            error.downcast_ref(),
            Some(KeptStoreError::File(OpenError::Unopenable(..)))
        )
}
