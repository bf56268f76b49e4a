//! `FetchStore`: the store that a command keeps fetches in. A store that exists but cannot be used
//! is replaced by an `UnusableStore`: decisions continue from memory, and say why they are not
//! stored.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use verger_store::{Deliveries, KeptStoreError, MemoryStore, OpenError, UnusableStore};

use crate::arguments::store::{StoreArguments, StorePathError};
use crate::screen::message::Message;
use crate::screen::notice;

/// Maximum size of a store in memory, in bytes.
const MEMORY_BYTES_MAX: usize = 256 << 20;

pub(crate) struct FetchStore {
    pub(crate) store: Arc<dyn Deliveries>,
    /// `None` if the store is in memory.
    pub(crate) path: Option<PathBuf>,
}

impl FetchStore {
    /// Creates a store in memory. When it is full, it forgets some sites.
    pub(crate) fn in_memory() -> Self {
        Self {
            store: Arc::new(MemoryStore::new(MEMORY_BYTES_MAX)),
            path: None,
        }
    }

    /// Opens the store. A damaged store accepts nothing, and answers say so. If no file is named
    /// and the default file cannot be created, the store is in memory, and a note says so. Fails if
    /// this machine lacks a resource, such as disk space.
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
            let store: Arc<dyn Deliveries> = Arc::new(UnusableStore::new(why));
            return Ok(Self { store, path });
        }
        // A name from the user may be mistyped.
        if arguments.named().is_none() && cannot_be_made(&*error) {
            let why = Message::of_error(&*error);
            let note = Message::new(format_args!("results are not stored: {}", why.what()));
            notice::note(note.maybe_help(why.help_text()));
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
