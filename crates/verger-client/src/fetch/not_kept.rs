//! `NotKept`: why what was seen is not stored.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use verger_store::StoreError;

/// Why what was seen is not stored. The client keeps it in memory until it expires.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NotKept {
    /// The address guard of this client refused the address. That is no fact about the site, so other
    /// clients that share the store do not see it.
    RefusedHere,
    /// The store could not be read or written.
    Store(Arc<StoreError>),
}

impl Error for NotKept {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::RefusedHere => None,
            Self::Store(error) => Some(error.as_ref()),
        }
    }
}

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RefusedHere => {
                f.write_str("an address that is refused here says nothing about the site")
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}
