//! `Turn`: when the next request to a site may be sent, among all processes that share a store.

use core::time::Duration;

/// A request that waits for its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnRequest {
    /// The site, in the caller's words: an authority or an address, for example. Requests to one site take turns.
    pub site: String,
    /// How long after the turn before it the request may be sent.
    pub delay: Duration,
    /// The longest wait, or `None` for no limit.
    pub longest: Option<Duration>,
    /// The current time since the start of 1970. A database uses its own clock instead.
    pub now: Duration,
}

/// The answer to a [`TurnRequest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The request may be sent after this time. Its turn is taken, even if it is never sent.
    In(Duration),
    /// The request would have to wait this long, so no turn was taken.
    TooLong(Duration),
}
