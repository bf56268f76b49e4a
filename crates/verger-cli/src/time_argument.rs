//! A time as an argument: `2026-11-20T17:02:11Z`, `2026-11-20`, `7d`, `yesterday`, `@1795194131`.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use verger_access::Timestamp;
use verger_store::{TimeTextError, time_of_text};

use crate::length_argument::length;

/// Seconds of a day of UTC.
const DAY: u64 = 86_400;

/// Reads a time that is not in the future: as [`any_time`] does.
///
/// # Errors
///
/// Where the text is no time, or one before 1970 or in the future.
pub(crate) fn past_time(text: &str) -> Result<Timestamp, TimeError> {
    not_after(now(), text)
}

fn not_after(now: Timestamp, text: &str) -> Result<Timestamp, TimeError> {
    let time = read(text, now)?;
    if time > now {
        return Err(TimeError::InTheFuture);
    }
    Ok(time)
}

/// Reads a time: RFC 3339; a date, with or without a time of day, which is of UTC; a length of time
/// before now; `now`, `today` or `yesterday`, the latter two from midnight of UTC; or `@` and seconds
/// since 1970.
///
/// # Errors
///
/// Where the text is no time, or one before 1970.
pub(crate) fn any_time(text: &str) -> Result<Timestamp, TimeError> {
    read(text, now())
}

/// The time; the beginning of 1970 where the clock is set to a time before.
fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Timestamp::from_unix_seconds(since.map_or(0, |since| since.as_secs()))
}

fn read(text: &str, now: Timestamp) -> Result<Timestamp, TimeError> {
    let text = text.trim();
    let seconds = now.unix_seconds();
    let midnight = seconds - seconds % DAY;
    let before = |start: u64, length: u64| {
        let seconds = start.checked_sub(length).ok_or(TimeError::Before1970)?;
        Ok(Timestamp::from_unix_seconds(seconds))
    };
    match text {
        "now" => return Ok(now),
        "today" => return before(midnight, 0),
        "yesterday" => return before(midnight, DAY),
        _ => {}
    }
    if let Ok(length) = length(text.strip_suffix(" ago").unwrap_or(text)) {
        return before(seconds, length.as_secs());
    }
    match time_of_text(text) {
        Ok(time) => Ok(time),
        Err(TimeTextError::Before1970) => Err(TimeError::Before1970),
        Err(_) => of_utc(text),
    }
}

/// A date, with or without a time of day, in UTC.
fn of_utc(text: &str) -> Result<Timestamp, TimeError> {
    let time: DateTime = text.parse().map_err(|_| TimeError::NoTime)?;
    let time = TimeZone::UTC.to_timestamp(time);
    let seconds = time.map_err(|_| TimeError::NoTime)?.as_second();
    let seconds = u64::try_from(seconds).map_err(|_| TimeError::Before1970)?;
    Ok(Timestamp::from_unix_seconds(seconds))
}

/// Why a text is no time that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeError {
    NoTime,
    Before1970,
    InTheFuture,
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoTime => {
                "a time is written as in 2026-11-20T17:02:11Z, 2026-11-20 (from midnight UTC), 7d \
                 (before now), yesterday, or as @ and seconds since 1970"
            }
            Self::Before1970 => "times are counted from 1970 on",
            Self::InTheFuture => "it is in the future",
        })
    }
}

impl std::error::Error for TimeError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-22T08:49:37Z.
    const NOW: u64 = 1_795_337_377;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, seconds) in [
            ("2026-11-20T17:02:11Z", 1_795_194_131),
            ("2026-11-20T19:02:11+02:00", 1_795_194_131),
            ("2026-11-20 17:02:11", 1_795_194_131),
            ("2026-11-20T17:02", 1_795_194_120),
            (" 2026-11-20 ", 1_795_132_800),
            ("@1795194131", 1_795_194_131),
            ("now", NOW),
            ("today", 1_795_305_600),
            ("yesterday", 1_795_219_200),
            ("7d", NOW - 604_800),
            ("7d ago", NOW - 604_800),
            ("90m", NOW - 5400),
            ("2027-01-15T08:00:00Z", 1_800_000_000),
        ] {
            let time = Timestamp::from_unix_seconds(seconds);
            assert_eq!(
                read(text, Timestamp::from_unix_seconds(NOW)),
                Ok(time),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_time_in_the_past_is_refused() {
        for (text, error) in [
            ("", TimeError::NoTime),
            ("tomorrow", TimeError::NoTime),
            ("2026-13-01", TimeError::NoTime),
            ("7", TimeError::NoTime),
            ("1y", TimeError::NoTime),
            ("-7d", TimeError::NoTime),
            ("1969-12-31", TimeError::Before1970),
            ("1969-12-31T23:00:00Z", TimeError::Before1970),
            ("60000d", TimeError::Before1970),
            ("2026-11-23", TimeError::InTheFuture),
            ("@1795337378", TimeError::InTheFuture),
        ] {
            let now = Timestamp::from_unix_seconds(NOW);
            assert_eq!(not_after(now, text), Err(error), "{text}");
        }
    }
}
