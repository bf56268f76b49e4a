//! `Timestamp`: the time, as an argument.

use core::time::Duration;

/// Whole seconds since 1 January 1970, 00:00 UTC.
///
/// Nothing here reads a clock: whoever has one hands the time in. Arithmetic saturates, so that no
/// clock, however wrong, makes anything panic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The time that many seconds after the beginning of 1970.
    #[must_use]
    pub const fn from_unix_seconds(seconds: u64) -> Self {
        Self(seconds)
    }

    /// Seconds since the beginning of 1970.
    #[must_use]
    pub const fn unix_seconds(self) -> u64 {
        self.0
    }

    /// The time that much later, to the second.
    #[must_use]
    pub const fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration.as_secs()))
    }

    /// How long ago `earlier` was; nothing where it is still to come.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_secs(self.0.saturating_sub(earlier.0))
    }

    /// The time that an HTTP header states, in any of the three forms of RFC 9110 5.6.7; `None`
    /// where it is no date, or one before 1970.
    pub(crate) fn from_http_date(text: &str) -> Option<Self> {
        let date = httpdate::parse_http_date(text.trim()).ok()?;
        // The dates are told in the type of a clock. Only their difference is wanted, so the
        // beginning of 1970 is read from a header as well and no clock is named.
        let epoch = httpdate::parse_http_date("Thu, 01 Jan 1970 00:00:00 GMT").ok()?;
        let since = date.duration_since(epoch).ok()?;
        Some(Self(since.as_secs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
