//! The delay between two requests, within the limits of the caller.

use core::cmp::Ordering;
use core::fmt;
use core::time::Duration;

use serde::Serialize;
use verger_access::Timestamp;
use verger_extensions::{CrawlDelay, Pacing, TimeOfDay};

/// The limits that a caller sets on delays. The maximum overrides the minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacingBounds {
    /// Shortest delay, even if the site asks for less.
    pub min: Duration,
    /// Longest delay, even if the site asks for more.
    pub max: Duration,
}

impl Default for PacingBounds {
    /// Returns limits of zero and one day ([`CrawlDelay::REASONABLE_MAX`]).
    fn default() -> Self {
        let (min, max) = (Duration::ZERO, CrawlDelay::REASONABLE_MAX);
        Self { min, max }
    }
}

impl PacingBounds {
    /// Returns the delay that applies `at` this time if a site asks for `pacing`, or `None` if it
    /// asks for no delay and no minimum is set.
    #[must_use]
    pub fn delay(self, pacing: &Pacing, at: Timestamp) -> Option<Delay> {
        let milliseconds = |limit: Duration| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        let time = TimeOfDay::from_unix_seconds(at.unix_seconds());
        let asked_ms = pacing.wait_milliseconds(time);
        let delay_ms = asked_ms.max(milliseconds(self.min));
        let delay_ms = delay_ms.min(milliseconds(self.max));
        let bounded = match delay_ms.cmp(&asked_ms) {
            Ordering::Greater => Some("min"),
            Ordering::Less => Some("max"),
            Ordering::Equal => None,
        };
        (asked_ms > 0 || delay_ms > 0).then_some(Delay {
            delay_ms,
            asked_ms,
            bounded,
        })
    }
}

/// The delay between two requests of a crawler to a site. `Display` writes it in seconds. The
/// default is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Delay {
    /// Delay in milliseconds, within the limits.
    pub delay_ms: u64,
    /// Delay that the site asks for, in milliseconds, or 0.
    pub asked_ms: u64,
    /// `min` or `max` if a limit changed the delay.
    pub bounded: Option<&'static str>,
}

impl fmt::Display for Delay {
    /// Writes `10 s between requests`, or `60 s between requests instead of 3600 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |milliseconds| Duration::from_millis(milliseconds).as_secs_f64();
        write!(f, "{} s between requests", seconds(self.delay_ms))?;
        if self.bounded.is_some() && self.asked_ms > 0 {
            write!(f, " instead of {} s", seconds(self.asked_ms))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use verger::LineNumber;

    use super::*;

    const NOON: Timestamp = Timestamp::from_unix_seconds(43_200);

    fn asking(milliseconds: u64) -> Pacing {
        let delay = CrawlDelay::new(milliseconds, LineNumber::FIRST);
        Pacing::new(Some(delay), Vec::new(), Vec::new())
    }

    #[test]
    fn bounds_are_kept_and_named() {
        for (bounds, asked_ms, delay_ms, bounded, text) in [
            (
                (0, 86_400_000),
                10_000,
                10_000,
                None,
                "10 s between requests",
            ),
            (
                (500, 86_400_000),
                0,
                500,
                Some("min"),
                "0.5 s between requests",
            ),
            (
                (1_000, 60_000),
                200,
                1_000,
                Some("min"),
                "1 s between requests instead of 0.2 s",
            ),
            (
                (0, 60_000),
                3_600_000,
                60_000,
                Some("max"),
                "60 s between requests instead of 3600 s",
            ),
            (
                (9_000, 5_000),
                0,
                5_000,
                Some("min"),
                "5 s between requests",
            ),
            (
                (0, 0),
                1_500,
                0,
                Some("max"),
                "0 s between requests instead of 1.5 s",
            ),
        ] {
            let [min, max] = [bounds.0, bounds.1].map(Duration::from_millis);
            let delay = PacingBounds { min, max }
                .delay(&asking(asked_ms), NOON)
                .unwrap();
            assert_eq!((delay.delay_ms, delay.bounded), (delay_ms, bounded));
            assert_eq!(delay.to_string(), text);
        }
        for pacing in [Pacing::NONE, asking(0)] {
            assert_eq!(PacingBounds::default().delay(&pacing, NOON), None);
        }
    }
}
