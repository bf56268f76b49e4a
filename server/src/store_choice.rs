//! `StoreChoice`: the store that a URL or path names.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use verger_store::{Deliveries, KeptStore, KeptStoreError, MemoryStore};

pub(crate) struct StoreChoice {
    pub(crate) store: Arc<dyn Deliveries>,
    /// The same store if it is in memory. Its size is known without a query.
    pub(crate) memory: Option<Arc<MemoryStore>>,
    /// Why the database does not answer yet. It may at any time.
    pub(crate) away: Option<KeptStoreError>,
}

/// Time for the database to answer before the server starts without it.
pub(crate) const STORE_PATIENCE: Duration = Duration::from_secs(2);

/// The store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreChoiceError {
    /// The store cannot be opened.
    #[error("cannot open the store: {0}")]
    Open(#[source] KeptStoreError),
    /// The kind of store is unknown.
    #[error("unsupported store `{0}:`\nhelp: use memory:, a file or postgres://USER@HOST/DATABASE")]
    Scheme(String),
}

impl StoreChoice {
    /// Opens the store. A store in memory uses at most `memory_bytes_max`.
    pub(crate) fn open(url: &str, memory_bytes_max: u64) -> Result<Self, StoreChoiceError> {
        let path = match url.split_once(':').unwrap_or(("sqlite", url)) {
            ("memory", _) => {
                let bytes_max = usize::try_from(memory_bytes_max).unwrap_or(usize::MAX);
                let memory = Arc::new(MemoryStore::new(bytes_max));
                return Ok(Self {
                    store: Arc::clone(&memory) as Arc<dyn Deliveries>,
                    memory: Some(memory),
                    away: None,
                });
            }
            ("sqlite", rest) => rest.strip_prefix("//").unwrap_or(rest),
            ("postgres" | "postgresql", _) => url,
            (other, _) => return Err(StoreChoiceError::Scheme(other.to_owned())),
        };
        let opened = KeptStore::open_within(STORE_PATIENCE, Path::new(path));
        let (store, away) = opened.map_err(StoreChoiceError::Open)?;
        Ok(Self {
            store: store.shared(),
            memory: None,
            away,
        })
    }
}
