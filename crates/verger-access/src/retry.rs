//! When an unreachable authority is fetched again: the back-off. G-5xx-2, G-5xx-3, K96-3.1-7.

use core::time::Duration;

use http::HeaderMap;
use http::header::RETRY_AFTER;

use crate::freshness::date_of;
use crate::outcome::{Outcome, Reply};
use crate::timestamp::Timestamp;

/// The fraction of a wait, in thousandths, by which it is shortened or lengthened, so crawlers that failed together do
/// not retry together. The caller provides the randomness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Jitter(i16);

impl Jitter {
    /// The largest jitter: a tenth more or less.
    pub const THOUSANDTHS_MAX: i16 = 100;

    /// No jitter: waits are exactly as in the schedule.
    pub const NONE: Self = Self(0);

    /// Creates a jitter of this many thousandths, limited to a tenth. A negative number shortens the wait.
    #[must_use]
    pub fn from_thousandths(thousandths: i16) -> Self {
        Self(thousandths.clamp(-Self::THOUSANDTHS_MAX, Self::THOUSANDTHS_MAX))
    }

    /// Returns the thousandths. A negative number shortens the wait.
    #[must_use]
    pub fn thousandths(self) -> i16 {
        self.0
    }

    fn stretch(self, wait: Duration) -> Duration {
        let thousandths = u64::from(1000_u16.saturating_add_signed(self.0));
        Duration::from_secs(wait.as_secs().saturating_mul(thousandths) / 1000)
    }
}

/// The back-off of a profile while an authority is unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RetrySchedule {
    /// The wait after the first failure. It doubles with each further failure.
    pub first: Duration,
    /// The longest wait.
    pub longest: Duration,
    /// The longest wait after a 503. G-5xx-3.
    pub longest_after_503: Duration,
    /// The shortest accepted `Retry-After`. Shorter ones are raised to it.
    pub retry_after_min: Duration,
    /// The longest accepted `Retry-After`. Longer ones are lowered to it.
    pub retry_after_max: Duration,
}

impl RetrySchedule {
    /// Returns how long to wait after the `failures`-th failure in a row.
    ///
    /// Jitter changes the waits of the schedule, but not a `Retry-After`, because requests must not be sent earlier.
    #[must_use]
    pub fn wait(
        &self,
        failures: u32,
        outcome: Outcome,
        retry_after: Option<Duration>,
        jitter: Jitter,
    ) -> Duration {
        if let Some(stated) = retry_after {
            return stated.min(self.retry_after_max).max(self.retry_after_min);
        }
        let longest = match outcome {
            Outcome::Error(Reply::Http(503)) | Outcome::ErrorSayingNotFound(Reply::Http(503)) => {
                self.longest_after_503
            }
            _ => self.longest,
        };
        let doublings = failures.saturating_sub(1).min(31);
        jitter.stretch(self.first.saturating_mul(1 << doublings).min(longest))
    }
}

/// Returns the wait that a response states in `Retry-After`, in seconds or as a date. Returns `None` if it states none
/// or a malformed one, so the schedule decides. A date is compared with the `Date` of the response, or with the time of
/// receipt.
pub(crate) fn retry_after(headers: &HeaderMap, received: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = Timestamp::from_http_date(text)?;
    Some(date.since(date_of(headers).unwrap_or(received)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport_failure::TransportFailure;

    const SCHEDULE: RetrySchedule = RetrySchedule {
        first: Duration::from_secs(60),
        longest: Duration::from_secs(3600),
        longest_after_503: Duration::from_secs(900),
        retry_after_min: Duration::from_secs(10),
        retry_after_max: Duration::from_secs(86_400),
    };

    fn wait(failures: u32, outcome: Outcome, retry_after: Option<u64>, jitter: i16) -> u64 {
        let stated = retry_after.map(Duration::from_secs);
        let jitter = Jitter::from_thousandths(jitter);
        SCHEDULE.wait(failures, outcome, stated, jitter).as_secs()
    }

    #[test]
    fn a_jitter_is_at_most_a_tenth() {
        for (given, kept) in [
            (0, 0),
            (77, 77),
            (-5, -5),
            (100, 100),
            (101, 100),
            (i16::MIN, -100),
        ] {
            assert_eq!(
                Jitter::from_thousandths(given).thousandths(),
                kept,
                "{given}"
            );
        }
    }

    #[test]
    fn waits_double_up_to_the_longest() {
        let timeout = Outcome::Failed(TransportFailure::Timeout);
        let waits: Vec<u64> = (0..9).map(|n| wait(n, timeout, None, 0)).collect();
        assert_eq!(waits, [60, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
        assert_eq!(wait(u32::MAX, timeout, None, 0), 3600);
        let busy = Outcome::Error(Reply::Http(503));
        assert_eq!(wait(4, busy, None, 0), 480);
        assert_eq!(wait(5, busy, None, 0), 900);
        let missing = Outcome::ErrorSayingNotFound(Reply::Http(503));
        assert_eq!(wait(5, missing, None, 0), 900);
    }

    #[test]
    fn jitter_is_a_tenth_at_most_and_leaves_retry_after_alone() {
        let timeout = Outcome::Failed(TransportFailure::Timeout);
        assert_eq!(wait(1, timeout, None, -100), 54);
        assert_eq!(wait(1, timeout, None, 30_000), 66);
        assert_eq!(wait(1, timeout, Some(1000), -100), 1000);
    }

    #[test]
    fn retry_after_counts_between_ten_seconds_and_a_day() {
        let busy = Outcome::Error(Reply::Http(429));
        for (stated, honoured) in [
            (0, 10),
            (9, 10),
            (10, 10),
            (11, 11),
            (86_399, 86_399),
            (86_400, 86_400),
            (86_401, 86_400),
            (u64::MAX, 86_400),
        ] {
            assert_eq!(wait(1, busy, Some(stated), 0), honoured);
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = Timestamp::from_unix_seconds(784_111_777);
        let stated = |lines: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in lines {
                headers.append(*name, value.parse().unwrap());
            }
            retry_after(&headers, now).map(|wait| wait.as_secs())
        };
        let date = ("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT");
        assert_eq!(stated(&[("retry-after", "120")]), Some(120));
        assert_eq!(stated(&[date]), Some(60));
        let origin = ("date", "Sun, 06 Nov 1994 08:50:07 GMT");
        assert_eq!(stated(&[date, origin]), Some(30));
        assert_eq!(
            stated(&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")]),
            Some(0)
        );
        assert_eq!(stated(&[("retry-after", "soon")]), None);
        assert_eq!(stated(&[("retry-after", "-5")]), None);
        assert_eq!(stated(&[]), None);
    }
}
