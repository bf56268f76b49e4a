//! `TimeText`: times as text.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A time as text has it: `2026-11-20T17:02:11Z`, `2026-11-20 17:02:11` in UTC, or `20261120170211`, as the
/// indexes of web archives have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeText {
    micros: i64,
}

impl TimeText {
    /// Reads a time; `None` where it is none.
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?.trim();
        let digits = text.len() == 14 && text.bytes().all(|octet| octet.is_ascii_digit());
        let time = if digits {
            let part = |at: std::ops::Range<usize>| text.get(at)?.parse::<i8>().ok();
            let (month, day) = (part(4..6)?, part(6..8)?);
            let (hour, minute, second) = (part(8..10)?, part(10..12)?, part(12..14)?);
            let year = text.get(..4)?.parse().ok()?;
            let civil = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
            TimeZone::UTC.to_timestamp(civil).ok()?
        } else {
            let stated = text.parse::<Timestamp>().ok();
            let civil = || {
                TimeZone::UTC
                    .to_timestamp(text.parse::<DateTime>().ok()?)
                    .ok()
            };
            stated.or_else(civil)?
        };
        Some(Self {
            micros: time.as_microsecond(),
        })
    }

    /// Microseconds since 1970.
    #[must_use]
    pub fn micros(self) -> i64 {
        self.micros
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_archives_and_of_people_are_one() {
        let expected = Some(1_795_194_131_000_000);
        for text in [
            "20261120170211",
            "2026-11-20T17:02:11Z",
            "2026-11-20T18:02:11+01:00",
            " 2026-11-20 17:02:11 ",
        ] {
            let read = TimeText::read(text.as_bytes()).map(TimeText::micros);
            assert_eq!(read, expected, "{text}");
        }
        for text in [
            "",
            "20261320170211",
            "2026112017021",
            "soon",
            "20261120170261",
            "-1",
        ] {
            assert_eq!(TimeText::read(text.as_bytes()), None, "{text}");
        }
    }
}
