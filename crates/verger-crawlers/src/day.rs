//! A calendar day, in the format of the registry file.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A day of the Gregorian calendar, in the years 0 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u16,
    month: u8,
    of_month: u8,
}

impl Day {
    /// Returns the number of days from 1970-01-01 to this day, which is negative before that date.
    ///
    /// ```
    /// use verger_crawlers::Day;
    ///
    /// let day: Day = "2026-11-22".parse().expect("a day");
    /// assert_eq!(day.since_1970(), 20_779);
    /// ```
    #[must_use]
    pub fn since_1970(self) -> i64 {
        // If years begin in March, the leap day is the last day of the year.
        let (years, month) = match self.month {
            1 | 2 => (i64::from(self.year) - 1, i64::from(self.month) + 9),
            month => (i64::from(self.year), i64::from(month) - 3),
        };
        let leap_days = years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
        // From March on, months have 31, 30, 31, 30, 31 days, repeatedly.
        let before_month = (153 * month + 2) / 5;
        years * 365 + leap_days + before_month + i64::from(self.of_month) - 1 - TO_1970
    }
}

/// Days from 0000-03-01 to 1970-01-01.
const TO_1970: i64 = 719_468;

/// The text is not a day such as `2026-11-22`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a day such as 2026-11-22")]
pub struct NotADay;

impl FromStr for Day {
    type Err = NotADay;

    /// Parses a day such as `2026-11-22`.
    fn from_str(text: &str) -> Result<Self, NotADay> {
        let mut parts = text.split('-');
        let mut part = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits);
            let part = part.filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
            part.and_then(|part| part.parse::<u16>().ok())
                .ok_or(NotADay)
        };
        let (year, month, of_month) = (part(4)?, part(2)?, part(2)?);
        let last = days_of_month(year, month).ok_or(NotADay)?;
        if parts.next().is_some() || !(1..=last).contains(&of_month) {
            return Err(NotADay);
        }
        Ok(Self {
            year,
            month: u8::try_from(month).map_err(|_| NotADay)?,
            of_month: u8::try_from(of_month).map_err(|_| NotADay)?,
        })
    }
}

fn days_of_month(year: u16, month: u16) -> Option<u16> {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(28 + u16::from(is_leap)),
        _ => None,
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            year,
            month,
            of_month,
        } = self;
        write!(f, "{year:04}-{month:02}-{of_month:02}")
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_numbered_without_a_gap() {
        let mut number = "1899-12-31".parse::<Day>().unwrap().since_1970();
        for year in 1900..2101 {
            for month in 1..=12 {
                let last = days_of_month(year, month).unwrap();
                for of_month in 1..=last {
                    let text = format!("{year}-{month:02}-{of_month:02}");
                    let day: Day = text.parse().unwrap();
                    number += 1;
                    assert_eq!(day.since_1970(), number, "{text}");
                    assert_eq!(day.to_string(), text);
                }
            }
        }
        assert_eq!("1970-01-01".parse::<Day>().unwrap().since_1970(), 0);
        assert_eq!("0000-01-01".parse::<Day>().unwrap().since_1970(), -719_528);
        assert_eq!("9999-12-31".parse::<Day>().unwrap().since_1970(), 2_932_896);
    }

    #[test]
    fn other_texts_are_no_days() {
        for text in [
            "",
            "2026",
            "2026-11",
            "2026-11-22-1",
            "2026-11-22 ",
            "26-11-22",
            "2026-1-22",
            "2026-13-01",
            "2026-00-01",
            "2026-11-00",
            "2026-11-31",
            "2026-02-29",
            "1900-02-29",
            "+026-11-22",
            "2026-11-٢٢",
            "2026/11/22",
        ] {
            assert_eq!(text.parse::<Day>(), Err(NotADay), "{text}");
        }
        assert!("2024-02-29".parse::<Day>().is_ok());
        assert!("2000-02-29".parse::<Day>().is_ok());
    }
}
