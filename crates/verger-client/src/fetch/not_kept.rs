use std::sync::Arc;

use thiserror::Error;
use verger_store::StoreError;

/// Why an attempt is not stored. The client keeps it in memory until it expires.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum NotKept {
    /// This client's address guard refused the address. That is not a fact about the site, so other
    /// clients that share the store do not see it.
    #[error("an address that is refused here says nothing about the site")]
    RefusedHere,
    /// A redirect led to a site that this client has an override for ([`verger_access::Override`]). That is
    /// not a fact about the site either.
    #[error("an override says nothing about the site")]
    Overridden,
    /// The store could not be read or written.
    #[error("{0}")]
    Store(#[source] Arc<StoreError>),
}
