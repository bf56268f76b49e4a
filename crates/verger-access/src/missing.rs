//! `Missing`: why everything is deferred although nothing failed.

use std::fmt;

use crate::timestamp::Timestamp;

/// The knowledge that is missing for a stance other than to defer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Missing {
    /// No attempt to fetch is known.
    AnyAttempt,
    /// The result of the last attempt, which ended at this time, has expired.
    AttemptAfter(Timestamp),
    /// The body of the last success is lost.
    Body,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyAttempt => f.write_str("no attempt to fetch it is known"),
            Self::AttemptAfter(last) => write!(f, "no attempt to fetch it after {last} is known"),
            Self::Body => f.write_str("the body of the last success is lost"),
        }
    }
}
