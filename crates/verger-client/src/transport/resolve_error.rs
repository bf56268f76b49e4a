//! `ResolveError`: why a name has no addresses.

use thiserror::Error;
use verger_store::{Resource, Shortage};

/// Why a resolver found no addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolveFailure {
    /// A name server answered that the name does not exist (NXDOMAIN).
    NoSuchName,
    /// The lookup failed, or the resolver does not know whether the name exists.
    Failed,
    /// No name server answered in time. Then the fetch fails with a timeout, and after the two above
    /// with [`verger_access::TransportFailure::Dns`].
    TimedOut,
    /// This machine lacks something, which is no fact about the name. Then the fetch fails with
    /// [`crate::ClientError::Shortage`].
    Shortage(Resource),
}

/// Why a name has no addresses, in words for an operator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct ResolveError {
    failure: ResolveFailure,
    reason: String,
}

impl ResolveError {
    /// Makes an error for a failed lookup, with the reason in words.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            failure: ResolveFailure::Failed,
            reason: reason.into(),
        }
    }

    /// Makes the error for a name that does not exist.
    #[must_use]
    pub fn no_such_name() -> Self {
        Self {
            failure: ResolveFailure::NoSuchName,
            reason: "there is no such name".to_owned(),
        }
    }

    /// Makes the error for a lookup without an answer in time.
    #[must_use]
    pub fn timed_out() -> Self {
        Self {
            failure: ResolveFailure::TimedOut,
            reason: "no name server answered in time".to_owned(),
        }
    }

    /// Makes an error for a lookup that failed for a reason that is not told: a lack of files, where no
    /// more can be opened now.
    pub(crate) fn unless_files_lack(reason: String) -> Self {
        match Shortage::unless_files_open() {
            Ok(()) => Self::new(reason),
            Err(shortage) => shortage.into(),
        }
    }

    /// Whether this machine lacks something.
    pub(crate) fn is_shortage(&self) -> bool {
        matches!(self.failure, ResolveFailure::Shortage(_))
    }

    /// Returns the kind of failure.
    #[must_use]
    pub const fn failure(&self) -> ResolveFailure {
        self.failure
    }
}

impl From<Shortage> for ResolveError {
    fn from(shortage: Shortage) -> Self {
        Self {
            failure: ResolveFailure::Shortage(shortage.resource),
            reason: shortage.detail,
        }
    }
}
