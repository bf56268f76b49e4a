//! `StoreChoice`: the store that a URL or a path names.

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;
use verger_store::{MemoryStore, OpenError, SqliteStore, Store};

/// The store that a URL or a path names.
pub(crate) struct StoreChoice {
    pub(crate) store: Arc<dyn Store>,
    /// The store in memory, whose size is known without a question.
    pub(crate) memory: Option<Arc<MemoryStore>>,
}

/// A store cannot be used.
#[derive(Debug, Error)]
pub enum StoreChoiceError {
    /// It cannot be opened.
    #[error("the store `{0}` cannot be opened: {1}")]
    Open(String, #[source] OpenError),
    /// This build has no such store.
    #[error("`{0}:` names no store of this build: write memory:, or the path of a file")]
    Scheme(String),
}

impl StoreChoice {
    /// Opens the store; one in memory takes at most so many octets.
    ///
    /// # Errors
    ///
    /// Where it cannot be opened.
    pub(crate) fn open(url: &str, memory_octets_max: u64) -> Result<Self, StoreChoiceError> {
        let (scheme, rest) = url.split_once(':').unwrap_or(("sqlite", url));
        let store: Arc<dyn Store> = match scheme {
            "memory" => {
                let octets_max = usize::try_from(memory_octets_max).unwrap_or(usize::MAX);
                let memory = Arc::new(MemoryStore::new(octets_max));
                let store = Arc::clone(&memory) as Arc<dyn Store>;
                let memory = Some(memory);
                return Ok(Self { store, memory });
            }
            "sqlite" => {
                let path = rest.strip_prefix("//").unwrap_or(rest);
                let opened = SqliteStore::open(Path::new(path));
                Arc::new(opened.map_err(|error| StoreChoiceError::Open(path.to_owned(), error))?)
            }
            // A further kind of store is a line here: `"postgres" | "postgresql" => Arc::new(…open(url)?)`.
            other => return Err(StoreChoiceError::Scheme(other.to_owned())),
        };
        let memory = None;
        Ok(Self { store, memory })
    }
}
