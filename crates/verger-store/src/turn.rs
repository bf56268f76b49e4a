//! `Turn`: when the next request to a site may be sent, among all processes that share a store.

use core::time::Duration;

/// Longer delays are shortened to a year, so sums of many fit in a number of a database.
const DELAY_MAX: Duration = Duration::from_secs(366 * 86_400);

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

/// The numbers of a request in a statement, in milliseconds.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct TurnNumbers {
    pub(crate) delay: i64,
    pub(crate) longest: i64,
    pub(crate) now: i64,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl TurnNumbers {
    pub(crate) fn of(request: &TurnRequest) -> Self {
        // Rounded up, so a delay never gets shorter.
        let up = |it: Duration| milliseconds(it.min(DELAY_MAX).saturating_add(ALMOST_ONE));
        Self {
            delay: up(request.delay),
            longest: request.longest.map_or(i64::MAX, milliseconds),
            now: milliseconds(request.now).min(NOW_MAX),
        }
    }

    /// Returns the length of a wait that a statement computed.
    pub(crate) fn wait(milliseconds: i64) -> Duration {
        Duration::from_millis(milliseconds.try_into().unwrap_or_default())
    }
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
const ALMOST_ONE: Duration = Duration::from_nanos(999_999);

/// A clock is never later than this (in the year 140,000,000).
#[cfg(any(feature = "sqlite", feature = "postgres"))]
const NOW_MAX: i64 = 1 << 62;

#[cfg(any(feature = "sqlite", feature = "postgres"))]
fn milliseconds(length: Duration) -> i64 {
    length.as_millis().try_into().unwrap_or(i64::MAX)
}
