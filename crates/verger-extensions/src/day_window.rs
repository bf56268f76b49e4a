//! `HHMM-HHMM`: a window of the day, in UTC (V-76, V-77).

use core::fmt;

/// A minute of the day, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    minutes: u16,
}

impl TimeOfDay {
    /// Creates the minute at `hours` (0 to 23) and `minutes` (0 to 59), or returns `None` if they
    /// are out of range.
    #[must_use]
    pub fn new(hours: u8, minutes: u8) -> Option<Self> {
        (hours < 24 && minutes < 60).then(|| Self {
            minutes: u16::from(hours) * 60 + u16::from(minutes),
        })
    }

    /// Returns the minute in UTC of a time in seconds since 1970, without leap seconds.
    #[must_use]
    pub fn from_unix_seconds(seconds: u64) -> Self {
        let minutes = seconds / 60 % (24 * 60);
        Self {
            // A day has 1,440 minutes.
            minutes: u16::try_from(minutes).unwrap_or_default(),
        }
    }

    /// Returns the hours, 0 to 23.
    #[must_use]
    pub fn hours(self) -> u16 {
        self.minutes / 60
    }

    /// Returns the minutes of the hour, 0 to 59.
    #[must_use]
    pub fn minutes(self) -> u16 {
        self.minutes % 60
    }

    fn parse(digits: &[u8]) -> Option<Self> {
        let &[h1, h2, m1, m2] = digits else {
            return None;
        };
        let two = |tens: u8, ones: u8| {
            let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
            is_number.then(|| (tens - b'0') * 10 + (ones - b'0'))
        };
        Self::new(two(h1, h2)?, two(m1, m2)?)
    }
}

impl fmt::Display for TimeOfDay {
    /// Writes `HHMM`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}", self.hours(), self.minutes())
    }
}

/// A window of the day, in UTC, from the start of one minute to the end of another.
///
/// Both minutes belong to it, so `0500-1259` and `1300-0459` together are a whole day. If the first
/// is later than the last, the window extends over midnight. V-76.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DayWindow {
    first: TimeOfDay,
    last: TimeOfDay,
}

impl DayWindow {
    /// Creates the window between these minutes, both inclusive.
    #[must_use]
    pub fn new(first: TimeOfDay, last: TimeOfDay) -> Self {
        Self { first, last }
    }

    /// Returns its first minute.
    #[must_use]
    pub fn first(&self) -> TimeOfDay {
        self.first
    }

    /// Returns its last minute.
    #[must_use]
    pub fn last(&self) -> TimeOfDay {
        self.last
    }

    /// Returns whether the window contains a minute.
    #[must_use]
    pub fn contains(&self, time: TimeOfDay) -> bool {
        if self.first <= self.last {
            self.first <= time && time <= self.last
        } else {
            self.first <= time || time <= self.last
        }
    }

    /// Parses `HHMM-HHMM`, ignoring white space around the hyphen. Returns `None` for anything
    /// else, including hours after 23 and minutes after 59.
    pub(crate) fn parse(value: &[u8]) -> Option<Self> {
        let hyphen = value.iter().position(|&byte| byte == b'-')?;
        Some(Self {
            first: TimeOfDay::parse(value[..hyphen].trim_ascii_end())?,
            last: TimeOfDay::parse(value[hyphen + 1..].trim_ascii_start())?,
        })
    }
}

impl fmt::Display for DayWindow {
    /// Writes `HHMM-HHMM`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.first, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn window(text: &str) -> DayWindow {
        DayWindow::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_time_of_day_is_found_in_seconds_since_1970() {
        for (seconds, hours, minutes) in [
            (0, 0, 0),
            (59, 0, 0),
            (60, 0, 1),
            (86_399, 23, 59),
            (86_400, 0, 0),
            (1_800_000_000, 8, 0),
        ] {
            let time = TimeOfDay::from_unix_seconds(seconds);
            assert_eq!(
                (time.hours(), time.minutes()),
                (hours, minutes),
                "{seconds}"
            );
        }
        assert!(TimeOfDay::from_unix_seconds(u64::MAX).hours() < 24);
    }

    #[test]
    fn a_window_is_two_times_of_four_digits() {
        for (value, text) in [
            ("0600-0845", "0600-0845"),
            ("0100 - 0800", "0100-0800"),
            ("0000-2359", "0000-2359"),
            ("1700-0459", "1700-0459"),
        ] {
            assert_eq!(window(value).to_string(), text);
        }
        for value in [
            "",
            "-",
            "0600",
            "0600-",
            "-0845",
            "2700-0800",
            "0600-2400",
            "0660-0800",
            "600-845",
            "06:00-08:45",
            "0600-0845x",
            "0600-0845-0900",
            "06 00-0845",
        ] {
            assert_eq!(DayWindow::parse(value.as_bytes()), None, "{value:?}");
        }
    }

    #[test]
    fn both_ends_belong_to_a_window_and_it_may_run_over_midnight() {
        let at = |hours, minutes| TimeOfDay::new(hours, minutes).unwrap();
        let day = window("0500-1659");
        let night = window("1700-0459");
        for time in [at(5, 0), at(12, 30), at(16, 59)] {
            assert!(day.contains(time) && !night.contains(time), "{time}");
        }
        for time in [at(17, 0), at(23, 59), at(0, 0), at(4, 59)] {
            assert!(night.contains(time) && !day.contains(time), "{time}");
        }
        assert!(window("0600-0600").contains(at(6, 0)));
        assert!(!window("0600-0600").contains(at(6, 1)));
    }

    #[test]
    fn a_time_of_day_has_24_hours_of_60_minutes() {
        assert_eq!(TimeOfDay::new(24, 0), None);
        assert_eq!(TimeOfDay::new(0, 60), None);
        let last = TimeOfDay::new(23, 59).unwrap();
        assert_eq!((last.hours(), last.minutes()), (23, 59));
    }
}
