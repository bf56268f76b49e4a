//! `Delivery`: the last change that a receiver accepted.

use std::sync::Arc;

use verger_access::Timestamp;

/// The last change of an authority that a receiver accepted. After a restart it shows which changes are due. The store
/// does not interpret it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The id of the last accepted event, or of the state in which the history begins.
    pub event: String,
    /// When that state was seen.
    pub at: Timestamp,
    /// The delivered state, in the format of the caller that delivers it.
    pub state: String,
    /// The body of that state.
    pub body: Option<Arc<[u8]>>,
}
