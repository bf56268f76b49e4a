//! `TurnNumbers`: a request for a turn as numbers of a database.

use core::time::Duration;

use crate::turn::TurnRequest;

/// Longer delays are shortened to a year, so sums of many fit in a number of a database.
const DELAY_MAX: Duration = Duration::from_secs(366 * 86_400);

/// The numbers of a request in a statement, in milliseconds.
pub(crate) struct TurnNumbers {
    pub(crate) delay: i64,
    pub(crate) longest: i64,
    pub(crate) now: i64,
}

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

const ALMOST_ONE: Duration = Duration::from_nanos(999_999);

/// A clock is never later than this (in the year 140,000,000).
const NOW_MAX: i64 = 1 << 62;

fn milliseconds(length: Duration) -> i64 {
    length.as_millis().try_into().unwrap_or(i64::MAX)
}
