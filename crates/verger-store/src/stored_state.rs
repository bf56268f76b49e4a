//! `StoredState`: the knowledge of a store about an authority at a time.

use verger_access::Knowledge;

use crate::snapshot::Snapshot;

/// A snapshot, and the knowledge once it was put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredState {
    /// The snapshot in force.
    pub snapshot: Snapshot,
    /// The knowledge after it, with the body of the copy.
    /// [`Knowledge::answer`](verger_access::Knowledge::answer) at that time returns the answer of that
    /// time.
    pub knowledge: Knowledge,
}
