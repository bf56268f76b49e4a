//! `ClientError`: why there is no decision.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use verger::TargetPathError;
use verger_access::{Authority, AuthorityError, RequestedUrlError};
use verger_store::{Shortage, StoreError};

/// Why there is no decision. A server that fails is no error, since then the profile decides; nor is a
/// store that fails, since then the client continues from memory, unless this machine lacks something.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// No robots.txt applies to the URL.
    Authority(AuthorityError),
    /// The dialect of the profile rejects the URL.
    Target(TargetPathError),
    /// The client fetches nothing over the scheme of the authority. Decide with a file instead
    /// ([`verger::RobotsTxt`]).
    SchemeNotFetched(Box<Authority>),
    /// The deadline passed while the call waited for a limit of this client
    /// ([`crate::FetchLimits`]), or for an earlier fetch of the same authority.
    OutOfTime(Box<Authority>),
    /// This machine lacks something that the fetch needs, such as files, memory, or room on the disk of
    /// the store. That is no fact about the site: nothing is stored, and no failure is counted.
    Shortage {
        /// The authority that was to be fetched.
        authority: Box<Authority>,
        /// What is lacking.
        shortage: Shortage,
    },
    /// Another process has held the lease for too long without a put.
    HeldElsewhere {
        /// The authority that it fetches.
        authority: Box<Authority>,
        /// The name of the holder.
        holder: String,
    },
    /// The fetch was cancelled: the runtime is shutting down, or a transport, store or other part of
    /// the caller panicked.
    Cancelled(Box<Authority>),
    /// The client is closed, or was closed during the call.
    Closed,
    /// The call was made outside a Tokio runtime.
    NoRuntime,
}

impl ClientError {
    /// The error where this machine lacks something.
    pub(crate) fn of_shortage(authority: &Authority, shortage: Shortage) -> Self {
        Self::Shortage {
            authority: Box::new(authority.clone()),
            shortage,
        }
    }

    /// Returns an error of the store with which the client continues from memory; one that reports a
    /// shortage is an error of the call.
    pub(crate) fn unless_shortage(
        authority: &Authority,
        error: Arc<StoreError>,
    ) -> Result<Arc<StoreError>, Self> {
        match &*error {
            StoreError::Shortage(shortage) => Err(Self::of_shortage(authority, shortage.clone())),
            _ => Ok(error),
        }
    }
}

impl From<AuthorityError> for ClientError {
    fn from(error: AuthorityError) -> Self {
        Self::Authority(error)
    }
}

impl From<RequestedUrlError> for ClientError {
    fn from(error: RequestedUrlError) -> Self {
        match error {
            RequestedUrlError::Authority(_, error) => Self::Authority(error),
            RequestedUrlError::Target(error) => Self::Target(error),
        }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Authority(error) => error.fmt(f),
            Self::Target(error) => error.fmt(f),
            Self::SchemeNotFetched(authority) => write!(
                f,
                "nothing is fetched over `{}`: give the robots.txt of {authority} as a file \
                 (`--robots` of the command)",
                authority.scheme_name()
            ),
            Self::OutOfTime(authority) => write!(
                f,
                "there was no time left to fetch the robots.txt of {authority}: try again, allow \
                 more time, or fetch fewer authorities at once"
            ),
            Self::Shortage {
                authority,
                shortage,
            } => write!(
                f,
                "the robots.txt of {authority} cannot be fetched: {shortage}"
            ),
            Self::HeldElsewhere { authority, holder } => write!(
                f,
                "{holder} has been fetching the robots.txt of {authority} for too long: try again"
            ),
            Self::Cancelled(authority) => {
                write!(
                    f,
                    "the fetch of the robots.txt of {authority} was cancelled"
                )
            }
            Self::Closed => f.write_str("the client is closed: it fetches nothing any more"),
            Self::NoRuntime => f.write_str(
                "nothing can be fetched outside a Tokio runtime: call from within one, or use the \
                 blocking client",
            ),
        }
    }
}

impl Error for ClientError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Authority(error) => Some(error),
            Self::Target(error) => Some(error),
            Self::Shortage { shortage, .. } => Some(shortage),
            Self::OutOfTime(_)
            | Self::HeldElsewhere { .. }
            | Self::SchemeNotFetched(_)
            | Self::Cancelled(_)
            | Self::Closed
            | Self::NoRuntime => None,
        }
    }
}
