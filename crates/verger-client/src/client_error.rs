//! `ClientError`: why there is no decision.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use verger::TargetPathError;
use verger_access::{Authority, AuthorityError};
use verger_store::StoreError;

/// Why there is no decision. A server that fails is no such reason: then the profile decides.
#[derive(Clone, Debug)]
pub enum ClientError {
    /// No robots.txt speaks for the URL.
    Authority(AuthorityError),
    /// The URL cannot be asked about in the dialect of the profile.
    Target(TargetPathError),
    /// The store failed, so nobody knows what is known.
    Store(Arc<StoreError>),
    /// Another process holds the right to fetch and has not put anything for too long.
    HeldElsewhere {
        /// What it fetches.
        authority: Box<Authority>,
        /// Who holds it, in its own words.
        holder: String,
    },
    /// The fetch was given up: the runtime is shutting down, or a part that the caller brought
    /// panicked.
    GivenUp(Box<Authority>),
    /// There is no Tokio runtime here to fetch on.
    NoRuntime,
}

impl From<AuthorityError> for ClientError {
    fn from(error: AuthorityError) -> Self {
        Self::Authority(error)
    }
}

impl From<TargetPathError> for ClientError {
    fn from(error: TargetPathError) -> Self {
        Self::Target(error)
    }
}

impl From<StoreError> for ClientError {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Authority(error) => error.fmt(f),
            Self::Target(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::HeldElsewhere { authority, holder } => write!(
                f,
                "{holder} has been fetching the robots.txt of {authority} for too long: try again"
            ),
            Self::GivenUp(authority) => {
                write!(f, "the fetch of the robots.txt of {authority} was given up")
            }
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
            Self::Store(error) => Some(error.as_ref()),
            Self::HeldElsewhere { .. } | Self::GivenUp(_) | Self::NoRuntime => None,
        }
    }
}
