use verger_store::micros_of_calendar;

/// A time in text: `2026-11-20T17:02:11Z`, `2026-11-20 17:02:11` in UTC, `20261120170211` as in web
/// archive indexes, or a number since 1970.
///
/// The number of digits before the point determines the unit, so no time is ambiguous: 10 digits
/// are seconds, 13 milliseconds, 16 microseconds and 19 nanoseconds, which covers September 2001 to
/// November 2286. 14 digits are a year to a second, and 8 digits are a date. Other lengths are not
/// times. Numbers may have a fraction. Anything finer than a microsecond is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeText {
    micros: i64,
}

/// Number of digits, and units per second.
const UNITS: [(usize, i128); 4] = [(10, 1), (13, 1000), (16, 1_000_000), (19, 1_000_000_000)];

impl TimeText {
    /// Parses a time, or returns `None`.
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?.trim();
        Self::since_1970(text).or_else(|| Self::of_calendar(text))
    }

    /// Does not accept a number since 1970.
    pub(super) fn read_of_calendar(text: &[u8]) -> Option<Self> {
        Self::of_calendar(std::str::from_utf8(text).ok()?.trim())
    }

    fn since_1970(text: &str) -> Option<Self> {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        if !is_number(whole) || !is_number(fraction) || fraction.is_empty() {
            return None;
        }
        let (_, units) = UNITS.iter().find(|(digits, _)| whole.len() == *digits)?;
        // Nine digits are enough for the finest unit.
        let fraction: String = fraction
            .chars()
            .chain("000000000".chars())
            .take(9)
            .collect();
        let billionths: i128 = format!("{whole}{fraction}").parse().ok()?;
        Some(Self {
            micros: i64::try_from(billionths / (units * 1000)).ok()?,
        })
    }

    fn of_calendar(text: &str) -> Option<Self> {
        let mut basic = *b"YYYYMMDDTHHMMSS";
        let is_number = text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit());
        let text = if is_number {
            // The basic format of ISO 8601 has a `T`.
            basic[..8].copy_from_slice(&text.as_bytes()[..8]);
            basic[9..].copy_from_slice(&text.as_bytes()[8..]);
            std::str::from_utf8(&basic).ok()?
        } else {
            text
        };
        let micros = micros_of_calendar(text)?;
        Some(Self { micros })
    }

    /// Returns microseconds since 1970.
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
            "202611201702",
            "soon",
            "20261120170261",
            "-1",
        ] {
            assert_eq!(TimeText::read(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_digits_of_a_number_say_its_unit() {
        for (text, expected) in [
            ("1795194131", 1_795_194_131_000_000),
            ("1795194131.5", 1_795_194_131_500_000),
            ("1795194131.0000019", 1_795_194_131_000_001),
            (
                "1795194131.00000000000000000000000000000000001",
                1_795_194_131_000_000,
            ),
            ("1795194131042", 1_795_194_131_042_000),
            ("1795194131042.0", 1_795_194_131_042_000),
            ("1795194131042.25", 1_795_194_131_042_250),
            ("1795194131042007", 1_795_194_131_042_007),
            ("1795194131042007999", 1_795_194_131_042_007),
            ("1795194131042007.9", 1_795_194_131_042_007),
            // The bounds of each unit.
            ("1000000000", 1_000_000_000_000_000),
            ("9999999999", 9_999_999_999_000_000),
            ("1000000000000", 1_000_000_000_000_000),
            ("9999999999999", 9_999_999_999_999_000),
            ("1000000000000000", 1_000_000_000_000_000),
            ("9999999999999999", 9_999_999_999_999_999),
            ("9999999999999999999", 9_999_999_999_999_999),
            ("0000000000", 0),
            // A year to a second, and a date.
            ("20010909014640", 1_000_000_000_000_000),
            ("20010909", 999_993_600_000_000),
        ] {
            let read = TimeText::read(text.as_bytes()).map(TimeText::micros);
            assert_eq!(read, Some(expected), "{text}");
        }
        for text in [
            "0",
            "999999999",
            "99999999999",
            "999999999999",
            "179519413104200",
            "17951941310420079",
            "179519413104200799",
            "17951941310420079999",
            "1795194131.",
            ".1795194131",
            "1795194131.5.5",
            "1795194131,5",
            "1795194131e0",
            "+1795194131",
            "-1795194131",
            "1_795_194_13",
            "20010909014640.5",
            "\u{661}795194131",
        ] {
            assert_eq!(TimeText::read(text.as_bytes()), None, "{text}");
        }
        assert_eq!(TimeText::read_of_calendar(b"1795194131"), None);
    }
}
