//! `Consequence`: how a profile treats an outcome, and the clause for it.

use core::time::Duration;

use verger::Clause;

/// How a profile treats an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Treatment {
    /// The rules of the body decide.
    Rules,
    /// Everything is allowed.
    Open,
    /// Everything is allowed, unless a good copy is younger than this. Then the copy stays in use.
    /// D00-2.3.1.3-2.
    OpenUnlessCopyYoungerThan(Duration),
    /// Everything is disallowed until the answer expires.
    Closed,
    /// The access result is unreachable, and the [`OutagePolicy`](crate::OutagePolicy) decides.
    Unreachable,
}

/// A treatment with its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Consequence {
    /// The treatment.
    pub treatment: Treatment,
    /// The clause of a document, or the choice of Verger, that requires it.
    pub clause: Clause,
}

impl Treatment {
    /// Returns the treatment with its clause.
    #[must_use]
    pub const fn by(self, clause: Clause) -> Consequence {
        Consequence {
            treatment: self,
            clause,
        }
    }
}
