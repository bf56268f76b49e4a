//! `Request-rate`: a number of documents per time (V-76).

use alloc::vec::Vec;
use core::fmt;

use crate::day_window::DayWindow;
use crate::number::saturating_number;
use crate::records_for::pacing_records_for;
use verger::{Crawler, LineNumber, RecordKind, RobotsTxt};

/// How many requests a crawler may make per time, optionally in a window of the day only.
///
/// It is written as `1/10s`, `500/1d` or `1/10m 1300-1659`: requests, a slash, a time in `s`, `m`,
/// `h` or `d` (in any case, seconds by default), and a window in UTC. Neither number may be 0,
/// because a rate of 0 would be a ban. V-76.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestRate {
    rate: Rate,
    window: Option<DayWindow>,
    line: LineNumber,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Rate {
    requests: u64,
    seconds: u64,
}

impl Rate {
    fn new(requests: u64, seconds: u64) -> Option<Self> {
        (requests > 0 && seconds > 0).then_some(Self { requests, seconds })
    }
}

impl RequestRate {
    /// Creates a rate on that line, for example a stored one: `requests` in `seconds`, in a window
    /// of the day or always. Returns `None` if either number is 0.
    #[must_use]
    pub fn new(
        requests: u64,
        seconds: u64,
        window: Option<DayWindow>,
        line: LineNumber,
    ) -> Option<Self> {
        let rate = Rate::new(requests, seconds)?;
        Some(Self { rate, window, line })
    }

    /// Returns how many requests may be made in [`RequestRate::seconds`]. At least 1.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.rate.requests
    }

    /// Returns the time in which [`RequestRate::requests`] may be made, in seconds. At least 1.
    #[must_use]
    pub fn seconds(&self) -> u64 {
        self.rate.seconds
    }

    /// Returns the time between two requests at this rate, in milliseconds. It is rounded up, so no
    /// crawler waits less than requested, and saturates at `u64::MAX`.
    #[must_use]
    pub fn interval_milliseconds(&self) -> u64 {
        self.seconds()
            .saturating_mul(1000)
            .div_ceil(self.requests())
    }

    /// Returns the part of the day in which the rate applies, or `None` for the whole day.
    #[must_use]
    pub fn window(&self) -> Option<DayWindow> {
        self.window
    }

    /// Returns the line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }
}

impl fmt::Display for RequestRate {
    /// Writes the rate, as in `1/600s` or `1/600s 1300-1659`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}s", self.requests(), self.seconds())?;
        match self.window {
            Some(window) => write!(f, " {window}"),
            None => Ok(()),
        }
    }
}

/// Returns the rates that are for `crawler`, in file order (V-87). A line with an invalid rate or
/// window is left out. V-76.
#[must_use]
pub fn request_rates(robots: &RobotsTxt, crawler: &Crawler) -> Vec<RequestRate> {
    pacing_records_for(robots, crawler, RecordKind::RequestRate)
        .into_iter()
        .filter_map(|record| {
            let (rate, window) = parse(record.value())?;
            Some(RequestRate {
                rate,
                window,
                line: record.line(),
            })
        })
        .collect()
}

/// An invalid part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InvalidPart {
    Rate,
    Window,
}

/// Returns the invalid parts of a value.
pub(crate) fn invalid_parts(value: &[u8]) -> impl Iterator<Item = (InvalidPart, &[u8])> {
    let (rate, window) = split(value);
    let of_rate = parse_rate(rate).is_none();
    let of_window = !window.is_empty() && DayWindow::parse(window).is_none();
    let rate = of_rate.then_some((InvalidPart::Rate, rate));
    let window = of_window.then_some((InvalidPart::Window, window));
    rate.into_iter().chain(window)
}

/// Splits a value into rate and window. The window is empty if there is none.
fn split(value: &[u8]) -> (&[u8], &[u8]) {
    let rate_end = value
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(value.len());
    (&value[..rate_end], value[rate_end..].trim_ascii())
}

fn parse(value: &[u8]) -> Option<(Rate, Option<DayWindow>)> {
    let (rate, window) = split(value);
    let window = match window {
        [] => None,
        window => Some(DayWindow::parse(window)?),
    };
    Some((parse_rate(rate)?, window))
}

fn parse_rate(value: &[u8]) -> Option<Rate> {
    let slash = value.iter().position(|&byte| byte == b'/')?;
    let (requests, time) = (&value[..slash], &value[slash + 1..]);
    let (number, unit_seconds) = match time.split_last()? {
        (b's' | b'S', number) => (number, 1),
        (b'm' | b'M', number) => (number, 60),
        (b'h' | b'H', number) => (number, 3600),
        (b'd' | b'D', number) => (number, 86_400),
        _ => (time, 1),
    };
    let requests = saturating_number(requests)?;
    let seconds = saturating_number(number)?.saturating_mul(unit_seconds);
    Rate::new(requests, seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::{String, ToString};
    use verger::Dialect;

    fn rates(value: &str) -> Vec<String> {
        let body = format!("User-agent: *\nRequest-rate: {value}\n");
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        request_rates(&robots, &Crawler::unnamed())
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn a_rate_is_written_in_seconds() {
        for (value, text) in [
            ("1/10s", "1/10s"),
            ("1/5", "1/5s"),
            ("1/10m 1300-1659", "1/600s 1300-1659"),
            ("5/1m\t0500-1259", "5/60s 0500-1259"),
            ("10/1H", "10/3600s"),
            ("500/1d 1700-0459", "500/86400s 1700-0459"),
            ("1/99999999999999999999999d", "1/18446744073709551615s"),
        ] {
            assert_eq!(rates(value), [text]);
        }
    }

    fn invalid_part(value: &[u8]) -> Option<InvalidPart> {
        invalid_parts(value).next().map(|(part, _)| part)
    }

    #[test]
    fn an_invalid_part_makes_the_line_invalid() {
        for value in [
            "", "1", "/", "1/", "/10", "0/10s", "1/0", "1/s", "-1/10", "1.5/10", "1/10w", "1/10ss",
            "1/2/3", "1 / 10", "x/10",
        ] {
            assert_eq!(invalid_part(value.as_bytes()), Some(InvalidPart::Rate));
            assert!(rates(value).is_empty(), "{value:?}");
        }
        for value in [
            "1/10s 2700-0800",
            "1/10s 0800",
            "1/10s (0800-1700)",
            "1/10 s",
        ] {
            assert_eq!(invalid_part(value.as_bytes()), Some(InvalidPart::Window));
            assert!(rates(value).is_empty(), "{value:?}");
        }
    }

    #[test]
    fn several_lines_stand_side_by_side() {
        let body = "User-agent: *\nRequest-rate: 1/10m 1300-1659\nRequest-rate: bad\n\
                    Disallow: /\nRequest-rate: 5/1m 0500-1259";
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        let rates = request_rates(&robots, &Crawler::unnamed());
        let lines: Vec<_> = rates.iter().map(|rate| rate.line().get()).collect();
        assert_eq!(lines, [2, 5]);
        assert_eq!((rates[1].requests(), rates[1].seconds()), (5, 60));
        assert!(rates[1].window().is_some());
    }
}
