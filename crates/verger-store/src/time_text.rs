//! Times as text: RFC 3339 in UTC, or `@` and Unix seconds.

use std::fmt;

use verger_access::Timestamp;

/// A time as people read it: `2027-01-15T08:00:00Z`; after the year 9999, of which RFC 3339 does not
/// know, `@` and its seconds since 1970. It comes back exactly from [`time_of_text`].
#[must_use]
pub fn time_text(time: Timestamp) -> String {
    time.to_string()
}

/// The time that a text says: RFC 3339 with any offset, fractions of a second cut off, or `@` and
/// seconds since 1970.
///
/// # Errors
///
/// Where it says none, or one before 1970.
pub fn time_of_text(text: &str) -> Result<Timestamp, TimeTextError> {
    let text = text.trim();
    if let Some(seconds) = text.strip_prefix('@') {
        let seconds = seconds.parse().map_err(|_| TimeTextError::NoTime)?;
        return Ok(Timestamp::from_unix_seconds(seconds));
    }
    let told: jiff::Timestamp = text.parse().map_err(|_| TimeTextError::NoTime)?;
    // A fraction before 1970 is rounded towards 1970 by its seconds, so the sign is asked for.
    match u64::try_from(told.as_second()) {
        Ok(seconds) if told.as_nanosecond() >= 0 => Ok(Timestamp::from_unix_seconds(seconds)),
        _ => Err(TimeTextError::Before1970),
    }
}

/// Why a text says no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeTextError {
    /// It is in neither form.
    NoTime,
    /// It is earlier than times are counted here.
    Before1970,
}

impl fmt::Display for TimeTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoTime => {
                "a time is written as in 2027-01-15T08:00:00Z, or as @ and seconds since 1970"
            }
            Self::Before1970 => "times are counted from 1970 on",
        })
    }
}

impl std::error::Error for TimeTextError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_back_from_their_texts() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_800_000_000, "2027-01-15T08:00:00Z"),
            (253_402_207_200, "9999-12-30T22:00:00Z"),
            (253_402_300_800, "@253402300800"),
            (u64::MAX, "@18446744073709551615"),
        ] {
            let time = Timestamp::from_unix_seconds(seconds);
            assert_eq!(time_text(time), text);
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
    fn what_is_no_time_is_refused() {
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
    }
}
