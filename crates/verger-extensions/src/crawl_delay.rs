//! `Crawl-delay`: the time to wait between two requests (V-75).

use core::fmt;
use core::time::Duration;

use crate::number::saturating_number;
use crate::records_for::pacing_records_for;
use verger::{Crawler, LineNumber, RecordKind, RobotsTxt};

/// The time that a crawler should wait between two requests.
///
/// It is written in seconds: `10`, `0.5`, also `.5` and `1.`. A sign, unit, exponent, white space
/// or second point makes a value invalid. It is stored in whole milliseconds and rounded up, so no
/// crawler waits less than requested. There is no upper bound, but
/// [`value_problems`](crate::value_problems) reports more than [`CrawlDelay::REASONABLE_MAX`].
/// V-75.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CrawlDelay {
    milliseconds: u64,
    line: LineNumber,
}

impl CrawlDelay {
    /// One day. A longer delay is hardly intended, and a crawler may want to cap it.
    pub const REASONABLE_MAX: Duration = Duration::from_secs(86_400);

    /// Creates a delay of this length on that line, for example a stored one.
    #[must_use]
    pub fn new(milliseconds: u64, line: LineNumber) -> Self {
        Self { milliseconds, line }
    }

    /// Returns the delay in milliseconds, saturating at `u64::MAX`.
    #[must_use]
    pub fn milliseconds(&self) -> u64 {
        self.milliseconds
    }

    /// Returns the line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }
}

impl fmt::Display for CrawlDelay {
    /// Writes seconds with as many decimals as necessary: `10`, `0.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, thousandths) = (self.milliseconds / 1000, self.milliseconds % 1000);
        match thousandths {
            0 => write!(f, "{seconds}"),
            of_ten if of_ten % 100 == 0 => write!(f, "{seconds}.{}", of_ten / 100),
            of_hundred if of_hundred % 10 == 0 => write!(f, "{seconds}.{:02}", of_hundred / 10),
            thousandths => write!(f, "{seconds}.{thousandths:03}"),
        }
    }
}

/// Returns the delay that is for `crawler` (V-87), or `None` if no valid one is. If several are, the
/// longest applies, and the first among equals. V-75.
#[must_use]
pub fn crawl_delay(robots: &RobotsTxt, crawler: &Crawler) -> Option<CrawlDelay> {
    pacing_records_for(robots, crawler, RecordKind::CrawlDelay)
        .into_iter()
        .filter_map(|record| {
            Some(CrawlDelay {
                milliseconds: milliseconds_of(record.value())?,
                line: record.line(),
            })
        })
        .reduce(|largest, next| {
            if next.milliseconds > largest.milliseconds {
                next
            } else {
                largest
            }
        })
}

/// Returns the delay like [`crawl_delay()`]. If there is none, returns that of the `*` groups,
/// unless the crawler ignores `*`.
///
/// This is how Bing reads the record. It is the one exception to "a crawler obeys its own groups
/// only". V-75.
#[must_use]
pub fn crawl_delay_or_star(robots: &RobotsTxt, crawler: &Crawler) -> Option<CrawlDelay> {
    match crawl_delay(robots, crawler) {
        None if crawler.honours_star() => crawl_delay(robots, &Crawler::unnamed()),
        own => own,
    }
}

/// Parses a value to milliseconds, or returns `None` if it is invalid.
pub(crate) fn milliseconds_of(value: &[u8]) -> Option<u64> {
    let (whole, fraction) = match value.iter().position(|&byte| byte == b'.') {
        Some(point) => (&value[..point], &value[point + 1..]),
        None => (value, &[][..]),
    };
    let seconds = match whole {
        [] if !fraction.is_empty() => 0,
        whole => saturating_number(whole)?,
    };
    let (thousandths, finer) = fraction.split_at(fraction.len().min(3));
    let thousandths = match thousandths.len() {
        0 => 0,
        1 => saturating_number(thousandths)? * 100,
        2 => saturating_number(thousandths)? * 10,
        _ => saturating_number(thousandths)?,
    };
    let rounding = match finer {
        [] => 0,
        finer => saturating_number(finer)?.min(1),
    };
    Some(
        seconds
            .saturating_mul(1000)
            .saturating_add(thousandths + rounding),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use verger::{Dialect, ProductToken, Star};

    #[test]
    fn seconds_are_digits_with_at_most_one_point() {
        for (value, milliseconds) in [
            ("0", 0),
            ("10", 10_000),
            ("0.5", 500),
            (".5", 500),
            ("1.", 1000),
            ("007", 7000),
            ("1.25", 1250),
            ("1.125", 1125),
            ("0.0005", 1),
            ("1.0000", 1000),
            ("1.9999", 2000),
            ("86401", 86_401_000),
            ("18446744073709551616", u64::MAX),
        ] {
            let read = milliseconds_of(value.as_bytes());
            assert_eq!(read, Some(milliseconds), "{value}");
        }
        for value in [
            "", ".", "abc", "-1", "+1", "1.2.1", "10a", "10s", "1e3", "1,5", "1 0", "1.x",
            "1.000x", "NaN", "inf",
        ] {
            assert_eq!(milliseconds_of(value.as_bytes()), None, "{value:?}");
        }
    }

    #[test]
    fn seconds_are_written_with_the_decimals_they_need() {
        for (milliseconds, text) in [
            (0, "0"),
            (10_000, "10"),
            (500, "0.5"),
            (1250, "1.25"),
            (1050, "1.05"),
            (1, "0.001"),
            (u64::MAX, "18446744073709551.615"),
        ] {
            let line = LineNumber::FIRST;
            assert_eq!(CrawlDelay { milliseconds, line }.to_string(), text);
        }
    }

    const BODY: &str = "User-agent: slow\nCrawl-delay: 2\nDisallow: /\nCrawl-delay: 9\n\
                        User-agent: none\nCrawl-delay: soon\nDisallow: /\n\
                        User-agent: *\nCrawl-delay: 3\n";

    fn crawler(name: &str) -> Crawler {
        Crawler::from(ProductToken::new(name).unwrap())
    }

    #[test]
    fn of_several_delays_the_largest_counts() {
        let robots = RobotsTxt::parse(BODY, Dialect::Rfc9309);
        let slow = crawl_delay(&robots, &crawler("slow")).unwrap();
        assert_eq!((slow.milliseconds(), slow.line().get()), (9000, 4));
        assert_eq!(crawl_delay(&robots, &crawler("none")), None);
        let other = crawl_delay(&robots, &crawler("other")).unwrap();
        assert_eq!(other.to_string(), "3");
    }

    #[test]
    fn the_delay_of_star_is_taken_only_where_asked() {
        let robots = RobotsTxt::parse(BODY, Dialect::Rfc9309);
        let delay = |crawler: &Crawler| {
            let delay = crawl_delay_or_star(&robots, crawler);
            delay.map(|delay| delay.to_string())
        };
        assert_eq!(delay(&crawler("slow")).as_deref(), Some("9"));
        assert_eq!(delay(&crawler("none")).as_deref(), Some("3"));
        assert_eq!(delay(&crawler("none").star(Star::Ignored)), None);
    }
}
