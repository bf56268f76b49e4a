//! `Delivery`: the last change that a receiver took.

use std::sync::Arc;

use verger_access::Timestamp;

/// The last change of an authority that a receiver took, so due changes are known after a restart. The store
/// keeps it as it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The id of the event that it took last, or of the state in which its history begins.
    pub event: String,
    /// When that state was seen.
    pub at: Timestamp,
    /// The delivered state, in the words of the caller that delivers.
    pub state: String,
    /// The body that this is about.
    pub body: Option<Arc<[u8]>>,
}
