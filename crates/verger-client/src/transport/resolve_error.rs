use thiserror::Error;
use verger_store::{Resource, Shortage};

/// Why a resolver found no addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolveFailure {
    /// A name server answered that the name does not exist (NXDOMAIN). The fetch fails with
    /// [`verger_access::TransportFailure::Dns`].
    NoSuchName,
    /// The lookup failed, or the resolver does not know whether the name exists. The fetch fails
    /// with [`verger_access::TransportFailure::Dns`].
    Failed,
    /// No name server answered in time. The fetch fails with a timeout.
    TimedOut,
    /// This machine ran out of a resource, which is not a fact about the name. The fetch fails with
    /// [`crate::ClientError::Shortage`].
    Shortage(Resource),
}

/// Why a name has no addresses, with a message for an operator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct ResolveError {
    failure: ResolveFailure,
    reason: String,
}

impl ResolveError {
    /// Creates the error for a failed lookup, with a message.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            failure: ResolveFailure::Failed,
            reason: reason.into(),
        }
    }

    /// Creates the error for a name that does not exist.
    #[must_use]
    pub fn no_such_name() -> Self {
        Self {
            failure: ResolveFailure::NoSuchName,
            reason: "there is no such name".to_owned(),
        }
    }

    /// Creates the error for a lookup that timed out.
    #[must_use]
    pub fn timed_out() -> Self {
        Self {
            failure: ResolveFailure::TimedOut,
            reason: "no name server answered in time".to_owned(),
        }
    }

    /// Creates the error for a lookup that failed for an unknown reason. If no more files can be
    /// opened now, that is taken as the reason.
    pub(crate) fn unless_files_lack(reason: String) -> Self {
        match Shortage::unless_files_open() {
            Ok(()) => Self::new(reason),
            Err(shortage) => shortage.into(),
        }
    }

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
