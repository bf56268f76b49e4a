//! `ClientError`: why there is no decision.

use std::error::Error;
use std::fmt;

use verger::TargetPathError;
use verger_access::{Authority, AuthorityError};

/// Why there is no decision. A server that fails is no such reason, since then the profile decides;
/// nor is a store that fails, since then the client goes on from memory.
#[derive(Clone, Debug)]
pub enum ClientError {
    /// No robots.txt applies to the URL.
    Authority(AuthorityError),
    /// The URL cannot be asked about in the dialect of the profile.
    Target(TargetPathError),
    /// Nothing is fetched over the scheme of the authority. Rules that were read elsewhere answer
    /// for it ([`verger::RobotsTxt`]).
    SchemeNotFetched(Box<Authority>),
    /// The deadline passed before the authority could be asked: all fetches that may run at once
    /// did, or an earlier one of the same authority took so long.
    OutOfTime(Box<Authority>),
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
    /// The client is closed, or was while the fetch was under way.
    Closed,
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
                "there was no time left to ask {authority} for its robots.txt: try again, allow \
                 more time, or ask about fewer authorities at once"
            ),
            Self::HeldElsewhere { authority, holder } => write!(
                f,
                "{holder} has been fetching the robots.txt of {authority} for too long: try again"
            ),
            Self::GivenUp(authority) => {
                write!(f, "the fetch of the robots.txt of {authority} was given up")
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
            Self::OutOfTime(_)
            | Self::HeldElsewhere { .. }
            | Self::SchemeNotFetched(_)
            | Self::GivenUp(_)
            | Self::Closed
            | Self::NoRuntime => None,
        }
    }
}
