use std::sync::Arc;

use thiserror::Error;
use verger::TargetPathError;
use verger_access::{Authority, AuthorityError, RequestedUrlError};
use verger_store::{Shortage, StoreError};

/// Why there is no decision.
///
/// A failing server is not an error, because the profile decides what follows. A failing store is
/// not an error either, because the client continues from memory, unless this machine ran out of a
/// resource.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// No robots.txt applies to the URL.
    #[error("{0}")]
    Authority(#[from] AuthorityError),
    /// The profile's dialect rejects the URL.
    #[error("{0}")]
    Target(#[source] TargetPathError),
    /// The client cannot fetch over the authority's scheme. Decide with a file instead
    /// ([`verger::RobotsTxt`]).
    #[error(
        "nothing is fetched over `{scheme}`: give the robots.txt of {0} as a file (`--robots` of the command)",
        scheme = .0.scheme_name()
    )]
    SchemeNotFetched(Box<Authority>),
    /// The deadline passed while the call waited for a limit of this client
    /// ([`crate::FetchLimits`]) or for an earlier fetch of the same authority.
    #[error(
        "there was no time left to fetch the robots.txt of {0}: try again, allow more time, or fetch fewer \
         authorities at once"
    )]
    OutOfTime(Box<Authority>),
    /// This machine ran out of a resource, such as files, memory, or disk space for the store. That
    /// is not a fact about the site, so nothing is stored and no failure is recorded.
    #[error("the robots.txt of {authority} cannot be fetched: {shortage}")]
    Shortage {
        /// The authority to fetch.
        authority: Box<Authority>,
        /// The resource that ran out.
        #[source]
        shortage: Shortage,
    },
    /// Another process held the lease for too long without a put.
    #[error("{holder} has been fetching the robots.txt of {authority} for too long: try again")]
    HeldElsewhere {
        /// The authority it fetches.
        authority: Box<Authority>,
        /// The name of the holder.
        holder: String,
    },
    /// The fetch was cancelled because the runtime is shutting down, or because a transport, store
    /// or other part of the caller panicked.
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
    pub(crate) fn of_shortage(authority: &Authority, shortage: Shortage) -> Self {
        Self::Shortage {
            authority: Box::new(authority.clone()),
            shortage,
        }
    }

    /// Returns the store error if the client can continue from memory. A shortage is an error of
    /// the call.
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
