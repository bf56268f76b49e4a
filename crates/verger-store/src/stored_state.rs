//! `StoredState`: how things stood with an authority at a time.

use verger_access::Knowledge;

use crate::snapshot::Snapshot;

/// A snapshot, and all that was known once it was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredState {
    /// The snapshot in force.
    pub snapshot: Snapshot,
    /// What was known with it, bodies included. Asked for an answer at a time of its own day, it
    /// gives the answer that was given then.
    pub knowledge: Knowledge,
}
