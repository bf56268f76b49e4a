//! Reads times as [`Timestamp`] writes them.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use verger_access::Timestamp;

/// Parses a time: RFC 3339 with any offset, without fractions of a second, or `@` and the seconds since 1970.
///
/// # Errors
///
/// Returns an error if the text is not a time, or before 1970.
pub fn time_of_text(text: &str) -> Result<Timestamp, TimeTextError> {
    let text = text.trim();
    if let Some(seconds) = text.strip_prefix('@') {
        let seconds = seconds.parse().map_err(|_| TimeTextError::NoTime)?;
        return Ok(Timestamp::from_unix_seconds(seconds));
    }
    let time: jiff::Timestamp = text.parse().map_err(|_| TimeTextError::NoTime)?;
    // The seconds of a time in the last second before 1970 are rounded to 0.
    match u64::try_from(time.as_second()) {
        Ok(seconds) if time.as_nanosecond() >= 0 => Ok(Timestamp::from_unix_seconds(seconds)),
        _ => Err(TimeTextError::Before1970),
    }
}

/// Parses RFC 3339, or a date with or without a time of day, in UTC. Returns the microseconds since 1970. A zone name
/// without an offset is not accepted, because the time would depend on a database.
#[must_use]
pub fn micros_of_calendar(text: &str) -> Option<i64> {
    let stated = text.parse::<jiff::Timestamp>().ok();
    let in_utc = || {
        let time: DateTime = text.parse().ok().filter(|_| !text.contains('['))?;
        TimeZone::UTC.to_timestamp(time).ok()
    };
    Some(stated.or_else(in_utc)?.as_microsecond())
}

/// Why a text is not a usable time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeTextError {
    /// The text has neither form.
    #[error("expected a time such as 2027-01-15T08:00:00Z or @1800000000")]
    NoTime,
    /// The time is before 1970.
    #[error("the time is before 1970")]
    Before1970,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_back_from_their_texts() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_800_000_000, "2027-01-15T08:00:00Z"),
            (253_402_207_200, "9999-12-30T22:00:00Z"),
            (253_402_300_800, "@253402300800"),
            (u64::MAX, "@18446744073709551615"),
        ] {
            let time = Timestamp::from_unix_seconds(seconds);
            assert_eq!(time.to_string(), text);
            assert_eq!(time_of_text(text), Ok(time));
        }
    }

    #[test]
    fn other_spellings_of_a_time_are_read() {
        let time = Ok(Timestamp::from_unix_seconds(1_800_000_000));
        for text in [
            "2027-01-15T09:00:00+01:00",
            "2027-01-15 08:00:00.999Z",
            " @1800000000 ",
        ] {
            assert_eq!(time_of_text(text), time, "{text}");
        }
    }

    #[test]
    fn a_calendar_time_without_an_offset_is_in_utc() {
        for (text, micros) in [
            ("2027-01-15T08:00:00Z", 1_800_000_000_000_000),
            (
                "2027-01-15T09:00:00+01:00[Europe/Berlin]",
                1_800_000_000_000_000,
            ),
            ("2027-01-15 08:00:00.25", 1_800_000_000_250_000),
            ("2027-01-15", 1_799_971_200_000_000),
            ("1969-12-31T23:59:59", -1_000_000),
        ] {
            assert_eq!(micros_of_calendar(text), Some(micros), "{text}");
        }
        for text in ["", "2027", "2027-01-15T08:00:00[Europe/Berlin]", "08:00:00"] {
            assert_eq!(micros_of_calendar(text), None, "{text}");
        }
    }

    #[test]
    fn a_text_that_is_no_time_is_refused() {
        for text in [
            "",
            "@",
            "@-1",
            "yesterday",
            "2027-01-15",
            "2027-01-15T08:00:00",
        ] {
            assert_eq!(time_of_text(text), Err(TimeTextError::NoTime), "{text}");
        }
        for text in ["1969-12-31T23:59:59Z", "1969-12-31T23:59:59.5Z"] {
            assert_eq!(time_of_text(text), Err(TimeTextError::Before1970), "{text}");
        }
        assert!(TimeTextError::NoTime.to_string().contains("such as"));
        assert!(
            TimeTextError::Before1970
                .to_string()
                .contains("before 1970")
        );
    }
}
