//! `Timestamp`: a time, which is always an argument.

use core::fmt;
use core::time::Duration;
use std::time::SystemTime;

const DAY_SECONDS: u64 = 24 * 60 * 60;

/// 9999-12-30T22:00:00Z, the last time whose year has four digits at every offset from UTC.
const RFC3339_SECONDS_MAX: u64 = 253_402_207_200;

/// Whole seconds since 1 January 1970, 00:00 UTC.
///
/// This crate reads no clock, so the time is an argument. Arithmetic saturates, so a wrong clock never causes a panic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(u64);

impl Timestamp {
    /// Creates a time from the seconds since the start of 1970.
    #[must_use]
    pub const fn from_unix_seconds(seconds: u64) -> Self {
        Self(seconds)
    }

    /// Returns the seconds since the start of 1970.
    #[must_use]
    pub const fn unix_seconds(self) -> u64 {
        self.0
    }

    /// Returns the time `duration` later. Fractions of a second are dropped.
    #[must_use]
    pub const fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration.as_secs()))
    }

    /// Returns the time since `earlier`, or zero if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_secs(self.0.saturating_sub(earlier.0))
    }

    /// Parses an HTTP date, in any of the three forms of RFC 9110 5.6.7. Returns `None` for any other text and for
    /// times before 1970.
    pub(crate) fn from_http_date(text: &str) -> Option<Self> {
        let date = httpdate::parse_http_date(text.trim()).ok()?;
        let since = date.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        Some(Self(since.as_secs()))
    }
}

impl From<SystemTime> for Timestamp {
    /// Drops the fraction of a second. A time before 1970 becomes 1970.
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(SystemTime::UNIX_EPOCH);
        Self(since.map_or(0, |since| since.as_secs()))
    }
}

/// Writes the text of [`fmt::Display`].
#[cfg(feature = "serde")]
impl serde::Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Timestamp {
    /// Writes RFC 3339 in UTC: `2027-01-15T08:00:00Z`. Times from the end of the year 9999 on are written as `@` and
    /// their seconds since 1970, because RFC 3339 cannot represent them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > RFC3339_SECONDS_MAX {
            return write!(f, "@{}", self.0);
        }
        let (year, month, day) = date_of(self.0 / DAY_SECONDS);
        let second = self.0 % DAY_SECONDS;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        )
    }
}

/// Returns year, month and day of the Gregorian calendar, `days` days after 1 January 1970.
///
/// Years start on 1 March here, so the leap day is the last day of a year. Then 400 years have 146,097 days, and from
/// March on, every five months have 153 days.
fn date_of(days: u64) -> (u64, u64, u64) {
    // Count from 1 March of the year 0, which is 719,468 days before 1970.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let (month, years) = match month_from_march {
        0..=9 => (month_from_march + 3, 0),
        _ => (month_from_march - 9, 1),
    };
    (era * 400 + year_of_era + years, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_has_the_date_that_follows_the_one_before() {
        let is_leap = |year: u64| {
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
        };
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..=RFC3339_SECONDS_MAX / DAY_SECONDS {
            assert_eq!(date_of(days), (year, month, day), "day {days}");
            let length = match month {
                2 if is_leap(year) => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            (year, month, day) = match (day == length, month) {
                (false, _) => (year, month, day + 1),
                (true, 12) => (year + 1, 1, 1),
                (true, _) => (year, month + 1, 1),
            };
        }
    }

    #[test]
    fn a_time_is_written_as_rfc_3339_as_far_as_that_goes() {
        let text = |seconds| Timestamp::from_unix_seconds(seconds).to_string();
        assert_eq!(text(0), "1970-01-01T00:00:00Z");
        assert_eq!(text(1_800_000_000), "2027-01-15T08:00:00Z");
        assert_eq!(text(951_868_799), "2000-02-29T23:59:59Z");
        assert_eq!(text(RFC3339_SECONDS_MAX), "9999-12-30T22:00:00Z");
        assert_eq!(text(RFC3339_SECONDS_MAX + 1), "@253402207201");
        assert_eq!(text(u64::MAX), "@18446744073709551615");
    }

    #[test]
    fn the_three_forms_of_a_date_are_one_time() {
        let time = Some(Timestamp::from_unix_seconds(784_111_777));
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            " Sun, 06 Nov 1994 08:49:37 GMT ",
        ] {
            assert_eq!(Timestamp::from_http_date(text), time, "{text}");
        }
        for text in ["", "0", "-1", "soon", "Sun, 06 Nov 1994"] {
            assert_eq!(Timestamp::from_http_date(text), None, "{text}");
        }
    }

    #[test]
    fn arithmetic_saturates() {
        let last = Timestamp::from_unix_seconds(u64::MAX);
        assert_eq!(last.after(Duration::MAX), last);
        assert_eq!(Timestamp::default().since(last), Duration::ZERO);
    }
}
