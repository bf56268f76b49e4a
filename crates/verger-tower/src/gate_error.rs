//! `GateError`: why a request was not sent, or failed.

use std::convert::Infallible;
use std::time::Duration;

use thiserror::Error;
use verger_client::ClientError;

use crate::denied::Denied;

/// Why a request was not sent, or the error `E` of the HTTP client that sent it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GateError<E = Infallible> {
    /// The request must not be sent.
    #[error("{0}")]
    Denied(Box<Denied>),
    /// The request would have to wait longer than [`crate::Gate::longest_wait`].
    #[error("{url}: the crawl delay of the site requires a wait of more than {} s", longest.as_secs_f64())]
    LongWait {
        /// The URL of the request.
        url: String,
        /// The longest wait.
        longest: Duration,
    },
    /// The request cannot be decided: its URL has no robots.txt, the gate's client is out of time or closed, or this
    /// machine lacks a resource, such as open files.
    #[error(transparent)]
    Undecided(#[from] ClientError),
    /// The request was sent, and the HTTP client failed.
    #[error(transparent)]
    Client(E),
}
