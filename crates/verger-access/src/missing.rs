//! `Missing`: why an answer defers although nothing failed.

use std::fmt;

use crate::timestamp::Timestamp;

/// The missing knowledge that makes an answer defer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Missing {
    /// No attempt is known.
    AnyAttempt,
    /// The result of the last attempt, which ended at this time, has expired.
    AttemptAfter(Timestamp),
    /// The body of the last success is lost.
    Body,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyAttempt => f.write_str("there is no record of a fetch"),
            Self::AttemptAfter(last) => write!(f, "there is no record of a fetch after {last}"),
            Self::Body => f.write_str("the body of the last successful fetch is lost"),
        }
    }
}
