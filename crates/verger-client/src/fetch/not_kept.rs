//! `NotKept`: why what an answer rests on is in no store.

use std::fmt;
use std::sync::Arc;

use verger_store::StoreError;

/// Why what an answer rests on is in no store. The client has it in memory until it expires.
#[derive(Clone, Debug)]
pub enum NotKept {
    /// The address guard of this client refused the address. That says nothing about the site, so
    /// others that share the store do not see it.
    RefusedHere,
    /// The store could not be read or written.
    Store(Arc<StoreError>),
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
