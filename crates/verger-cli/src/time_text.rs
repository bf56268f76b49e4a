//! Times as readers and programs see them, and as arguments give them.

use std::fmt;

use verger_access::Timestamp;

use crate::octet_text::start_of;

/// The time for readers: `2026-11-20 17:02:11 UTC`.
pub(crate) fn readable(time: Timestamp) -> String {
    match civil(time) {
        Some(time) => time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        None => format!("{} s after 1970", time.unix_seconds()),
    }
}

/// The time in RFC 3339, for programs: `2026-11-20T17:02:11Z`; `None` after the year 9999, which
/// that form cannot tell.
pub(crate) fn rfc3339(time: Timestamp) -> Option<String> {
    civil(time).map(|time| time.to_string())
}

fn civil(time: Timestamp) -> Option<jiff::Timestamp> {
    jiff::Timestamp::from_second(i64::try_from(time.unix_seconds()).ok()?).ok()
}

/// Reads a time as arguments give it: RFC 3339, a date and a time of day in UTC, a date (its
/// beginning), or `@` and seconds since 1970. What is shorter than a second is cut off.
pub(crate) fn parse_time(text: &str) -> Result<Timestamp, TimeTextError> {
    let trimmed = text.trim();
    let seconds = match trimmed.strip_prefix('@') {
        Some(seconds) => seconds.parse().ok(),
        None => of_calendar(trimmed).and_then(|seconds| u64::try_from(seconds).ok()),
    };
    let seconds = seconds.ok_or_else(|| TimeTextError(text.to_owned()))?;
    Ok(Timestamp::from_unix_seconds(seconds))
}

fn of_calendar(text: &str) -> Option<i64> {
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Some(time.as_second());
    }
    let in_utc = text.strip_suffix("UTC").unwrap_or(text).trim_end();
    let time: jiff::civil::DateTime = in_utc.parse().ok()?;
    let time = jiff::tz::Offset::UTC.to_timestamp(time).ok()?;
    Some(time.as_second())
}

/// A text is no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimeTextError(String);

impl fmt::Display for TimeTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = start_of(&self.0);
        write!(
            f,
            "`{text}` is no time since 1970: write 2026-11-20T17:02:11Z, 2026-11-20, or @1795194131"
        )
    }
}

impl std::error::Error for TimeTextError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_many_spellings() {
        let time = Timestamp::from_unix_seconds(1_795_194_131);
        for text in [
            "2026-11-20T17:02:11Z",
            "2026-11-20t18:02:11.9+01:00",
            "2026-11-20 17:02:11",
            "2026-11-20 17:02:11 UTC",
            "@1795194131",
            " @1795194131 ",
        ] {
            assert_eq!(parse_time(text), Ok(time), "{text}");
        }
        assert_eq!(readable(time), "2026-11-20 17:02:11 UTC");
        assert_eq!(rfc3339(time).as_deref(), Some("2026-11-20T17:02:11Z"));
        let midnight = Timestamp::from_unix_seconds(1_795_132_800);
        assert_eq!(parse_time("2026-11-20"), Ok(midnight));
    }

    #[test]
    fn what_is_no_time_since_1970_is_refused() {
        for text in [
            "",
            "@",
            "@-1",
            "@1.5",
            "yesterday",
            "1969-12-31",
            "17:02",
            "2026-13-01",
        ] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_that_no_calendar_has_is_told_in_seconds() {
        let time = Timestamp::from_unix_seconds(u64::MAX);
        assert_eq!(readable(time), "18446744073709551615 s after 1970");
        assert_eq!(rfc3339(time), None);
        assert_eq!(parse_time("@18446744073709551615"), Ok(time));
    }
}
