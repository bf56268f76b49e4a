//! `GateError`: why a request was not sent, or did not succeed.

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use verger_client::ClientError;

use crate::denied::Denied;

/// Why a request was not sent, or `E`: the error of the HTTP client that sent it.
#[derive(Debug)]
#[non_exhaustive]
pub enum GateError<E = Infallible> {
    /// It may not be sent.
    Denied(Box<Denied>),
    /// It would have to wait longer than [`crate::Gate::longest_wait`].
    LongWait {
        /// The URL of the request.
        url: String,
        /// The longest wait.
        longest: Duration,
    },
    /// Nothing can be decided about it: its URL has no robots.txt, or the client of the gate has no time or
    /// is closed.
    Undecided(ClientError),
    /// It was sent, and the HTTP client failed.
    Client(E),
}

impl GateError {
    /// The same error beside those of an HTTP client.
    pub(crate) fn beside<E>(self) -> GateError<E> {
        match self {
            Self::Denied(denied) => GateError::Denied(denied),
            Self::LongWait { url, longest } => GateError::LongWait { url, longest },
            Self::Undecided(error) => GateError::Undecided(error),
            Self::Client(never) => match never {},
        }
    }
}

impl<E> From<ClientError> for GateError<E> {
    fn from(error: ClientError) -> Self {
        Self::Undecided(error)
    }
}

impl<E: fmt::Display> fmt::Display for GateError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(denied) => denied.fmt(f),
            Self::LongWait { url, longest } => write!(
                f,
                "{url}: the delays of the site let it be sent only after more than {longest:?}"
            ),
            Self::Undecided(error) => error.fmt(f),
            Self::Client(error) => error.fmt(f),
        }
    }
}

impl<E: Error + 'static> Error for GateError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Denied(_) | Self::LongWait { .. } => None,
            Self::Undecided(error) => error.source(),
            Self::Client(error) => error.source(),
        }
    }
}
