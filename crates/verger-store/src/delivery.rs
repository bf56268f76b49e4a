//! `Delivery`: what a receiver of changes took last.

use std::sync::Arc;

use verger_access::Timestamp;

/// What a receiver of changes took last of an authority, so that what is due is known after a restart, too. The store
/// keeps it as it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The id of the event that it took last, or of the state in which its history begins.
    pub event: String,
    /// When it took it.
    pub at: Timestamp,
    /// What it was told, in the words of the caller that delivers.
    pub state: String,
    /// The body that this is about.
    pub body: Option<Arc<[u8]>>,
}
