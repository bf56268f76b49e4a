//! `GateError`: why a request was not sent, or did not succeed.

use std::convert::Infallible;
use std::time::Duration;

use thiserror::Error;
use verger_client::ClientError;

use crate::denied::Denied;

/// Why a request was not sent, or `E`: the error of the HTTP client that sent it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GateError<E = Infallible> {
    /// It may not be sent.
    #[error("{0}")]
    Denied(Box<Denied>),
    /// It would have to wait longer than [`crate::Gate::longest_wait`].
    #[error("{url}: the delays of the site let it be sent only after more than {longest:?}")]
    LongWait {
        /// The URL of the request.
        url: String,
        /// The longest wait.
        longest: Duration,
    },
    /// Nothing can be decided about it: its URL has no robots.txt, the client of the gate has no time or is
    /// closed, or this machine lacks something, such as files that may be open.
    #[error(transparent)]
    Undecided(#[from] ClientError),
    /// It was sent, and the HTTP client failed.
    #[error(transparent)]
    Client(E),
}
