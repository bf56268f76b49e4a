//! A time as a user writes it: `2026-11-20T17:02:11Z`, `2026-11-20`, `7d`, `yesterday`, `@1795194131`.

use verger_access::Timestamp;

use crate::time_text::{TimeTextError, micros_of_calendar, time_of_text};
use crate::written_length::length;

const DAY: u64 = 86_400;

/// Parses a time like [`time_written`], and refuses times in the future.
///
/// # Errors
///
/// Returns an error if the text is not a time, before 1970 or in the future.
pub fn past_time_written(text: &str, now: Timestamp) -> Result<Timestamp, WrittenTimeError> {
    let time = time_written(text, now)?;
    if time > now {
        return Err(WrittenTimeError::InTheFuture);
    }
    Ok(time)
}

/// Parses a time: RFC 3339, a date with or without a time of day in UTC, a duration before now, `now`, `today` or
/// `yesterday` (from midnight UTC), or `@` and the seconds since 1970.
///
/// # Errors
///
/// Returns an error if the text is not a time, or before 1970.
pub fn time_written(text: &str, now: Timestamp) -> Result<Timestamp, WrittenTimeError> {
    let text = text.trim();
    let seconds = now.unix_seconds();
    let midnight = seconds - seconds % DAY;
    let before = |start: u64, length: u64| {
        let seconds = start
            .checked_sub(length)
            .ok_or(WrittenTimeError::Before1970)?;
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
        Err(TimeTextError::Before1970) => Err(WrittenTimeError::Before1970),
        Err(_) => of_utc(text),
    }
}

/// Parses a date, with or without a time of day, in UTC. A year or a month means its start.
fn of_utc(text: &str) -> Result<Timestamp, WrittenTimeError> {
    let text = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    let micros = micros_of_calendar(&text).ok_or(WrittenTimeError::NoTime)?;
    let micros = u64::try_from(micros).map_err(|_| WrittenTimeError::Before1970)?;
    Ok(Timestamp::from_unix_seconds(micros / 1_000_000))
}

/// Why a text is not a usable time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WrittenTimeError {
    /// The text is not a time.
    #[error(
        "expected a time such as 2026-11-20T17:02:11Z, 2026-11-20 (midnight UTC), 7d (before \
         now), yesterday or @1795194131"
    )]
    NoTime,
    /// The time is before 1970.
    #[error("the time is before 1970")]
    Before1970,
    /// The time is in the future, which the caller does not permit.
    #[error("the time is in the future")]
    InTheFuture,
}

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
            ("2026", 1_767_225_600),
            ("2026-11", 1_793_491_200),
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
                time_written(text, Timestamp::from_unix_seconds(NOW)),
                Ok(time),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_time_in_the_past_is_refused() {
        for (text, error) in [
            ("", WrittenTimeError::NoTime),
            ("tomorrow", WrittenTimeError::NoTime),
            ("2026-13-01", WrittenTimeError::NoTime),
            ("7", WrittenTimeError::NoTime),
            ("20x6", WrittenTimeError::NoTime),
            ("2026-13", WrittenTimeError::NoTime),
            ("1969", WrittenTimeError::Before1970),
            ("1y", WrittenTimeError::NoTime),
            ("-7d", WrittenTimeError::NoTime),
            ("1969-12-31", WrittenTimeError::Before1970),
            ("1969-12-31T23:00:00Z", WrittenTimeError::Before1970),
            ("60000d", WrittenTimeError::Before1970),
            ("2026-11-23", WrittenTimeError::InTheFuture),
            ("@1795337378", WrittenTimeError::InTheFuture),
        ] {
            let now = Timestamp::from_unix_seconds(NOW);
            assert_eq!(past_time_written(text, now), Err(error), "{text}");
        }
    }
}
