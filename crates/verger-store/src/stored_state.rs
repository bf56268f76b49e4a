//! `StoredState`: the knowledge of a store about an authority at a time.

use verger_access::Knowledge;

use crate::snapshot::Snapshot;

/// A snapshot, and the knowledge after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredState {
    /// The snapshot in force.
    pub snapshot: Snapshot,
    /// The knowledge after it, with the body of the copy. For that time,
    /// [`Knowledge::answer`](verger_access::Knowledge::answer) returns the answer that was valid then.
    pub knowledge: Knowledge,
}
