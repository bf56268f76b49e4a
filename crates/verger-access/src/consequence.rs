//! `Consequence`: what follows from an outcome, and by which clause.

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
    /// Everything is allowed, unless a good copy is younger than this: then the copy stays in use.
    /// D00-2.3.1.3-2.
    OpenUnlessCopyYoungerThan(Duration),
    /// Everything is disallowed, for as long as an answer lasts.
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
    /// The requirement of a document, or the choice of Verger, by which it follows.
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
