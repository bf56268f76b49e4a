//! `ClientError`: why there is no decision.

use std::sync::Arc;

use thiserror::Error;
use verger::TargetPathError;
use verger_access::{Authority, AuthorityError, RequestedUrlError};
use verger_store::{Shortage, StoreError};

/// Why there is no decision. A server that fails is no error, since then the profile decides; nor is a
/// store that fails, since then the client continues from memory, unless this machine lacks something.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// No robots.txt applies to the URL.
    #[error("{0}")]
    Authority(#[from] AuthorityError),
    /// The dialect of the profile rejects the URL.
    #[error("{0}")]
    Target(#[source] TargetPathError),
    /// The client fetches nothing over the scheme of the authority. Decide with a file instead
    /// ([`verger::RobotsTxt`]).
    #[error(
        "nothing is fetched over `{scheme}`: give the robots.txt of {0} as a file (`--robots` of the command)",
        scheme = .0.scheme_name()
    )]
    SchemeNotFetched(Box<Authority>),
    /// The deadline passed while the call waited for a limit of this client
    /// ([`crate::FetchLimits`]), or for an earlier fetch of the same authority.
    #[error(
        "there was no time left to fetch the robots.txt of {0}: try again, allow more time, or fetch fewer \
         authorities at once"
    )]
    OutOfTime(Box<Authority>),
    /// This machine lacks something that the fetch needs, such as files, memory, or room on the disk of
    /// the store. That is no fact about the site: nothing is stored, and no failure is counted.
    #[error("the robots.txt of {authority} cannot be fetched: {shortage}")]
    Shortage {
        /// The authority that was to be fetched.
        authority: Box<Authority>,
        /// The resource that is lacking.
        #[source]
        shortage: Shortage,
    },
    /// Another process has held the lease for too long without a put.
    #[error("{holder} has been fetching the robots.txt of {authority} for too long: try again")]
    HeldElsewhere {
        /// The authority that it fetches.
        authority: Box<Authority>,
        /// The name of the holder.
        holder: String,
    },
    /// The fetch was cancelled: the runtime is shutting down, or a transport, store or other part of
    /// the caller panicked.
    #[error("the fetch of the robots.txt of {0} was cancelled")]
    Cancelled(Box<Authority>),
    /// The client is closed, or was closed during the call.
    #[error("the client is closed: it fetches nothing any more")]
    Closed,
    /// The call was made outside a Tokio runtime.
    #[error(
        "nothing can be fetched outside a Tokio runtime: call from within one, or use the blocking client"
    )]
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

impl From<RequestedUrlError> for ClientError {
    fn from(error: RequestedUrlError) -> Self {
        match error {
            RequestedUrlError::Authority(_, error) => Self::Authority(error),
            RequestedUrlError::Target(error) => Self::Target(error),
        }
    }
}
