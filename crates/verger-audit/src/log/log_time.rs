use std::str;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;
use verger_access::Timestamp;
use verger_store::micros_of_calendar;

const MONTHS: [&[u8]; 12] = [
    b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec",
];

/// Parses `10/Oct/2026:13:55:36 -0700`, RFC 3339, or a number. A time without an offset is in UTC.
/// A time with a zone name (RFC 9557) is rejected.
pub(super) fn read(text: &[u8]) -> Option<Timestamp> {
    let text = text.trim_ascii();
    match text {
        [_, _, b'/', ..] => of_common(text),
        [_, _, _, _, b'-', ..] => of_micros(micros_of_calendar(str::from_utf8(text).ok()?)?),
        _ => of_number(text),
    }
}

/// Parses a date and a time of day in UTC, two fields of the W3C format.
pub(super) fn of_date(date: &[u8], time: &[u8]) -> Option<Timestamp> {
    let date: Date = str::from_utf8(date).ok()?.parse().ok()?;
    let time: Time = str::from_utf8(time).ok()?.parse().ok()?;
    of_civil(DateTime::from_parts(date, time), 0)
}

fn of_micros(micros: i64) -> Option<Timestamp> {
    of_seconds(micros.div_euclid(1_000_000))
}

/// Parses `10/Oct/2026:13:55:36 -0700`.
fn of_common(text: &[u8]) -> Option<Timestamp> {
    let (time, offset) = (text.get(..20)?, text[20..].trim_ascii());
    let punctuation = [time[2], time[6], time[11], time[14], time[17]];
    let name = time[3..6].to_ascii_lowercase();
    let month = MONTHS.iter().position(|month| *month == name)?;
    if punctuation != *b"//:::" {
        return None;
    }
    let number = |bytes: &[u8]| digits(bytes).and_then(|value| i8::try_from(value).ok());
    let date = Date::new(
        i16::try_from(digits(&time[7..11])?).ok()?,
        i8::try_from(month + 1).ok()?,
        number(&time[..2])?,
    );
    let second = number(&time[18..])?.min(59);
    let clock = Time::new(number(&time[12..14])?, number(&time[15..17])?, second, 0);
    of_civil(
        DateTime::from_parts(date.ok()?, clock.ok()?),
        offset_seconds(offset)?,
    )
}

/// Parses an offset such as `-0700`.
fn offset_seconds(offset: &[u8]) -> Option<i64> {
    match offset {
        b"" => Some(0),
        [sign @ (b'+' | b'-'), digits_of_offset @ ..] if digits_of_offset.len() == 4 => {
            let hours = digits(&digits_of_offset[..2])?;
            let minutes = digits(&digits_of_offset[2..])?;
            let seconds = i64::from(hours) * 3600 + i64::from(minutes) * 60;
            Some(if *sign == b'-' { -seconds } else { seconds })
        }
        _ => None,
    }
}

fn of_civil(time: DateTime, offset_seconds: i64) -> Option<Timestamp> {
    let utc = Offset::UTC.to_timestamp(time).ok()?;
    of_seconds(utc.as_second().checked_sub(offset_seconds)?)
}

/// Parses a Unix time. Up to 11 digits before the point are seconds. More digits mean milliseconds,
/// microseconds or nanoseconds.
fn of_number(text: &[u8]) -> Option<Timestamp> {
    let point = memchr::memchr(b'.', text).unwrap_or(text.len());
    let (whole, fraction) = text.split_at(point);
    let is_fraction = fraction.iter().skip(1).all(u8::is_ascii_digit);
    let seconds_length = match whole.len() {
        1..=11 => whole.len(),
        12..=14 => whole.len() - 3,
        15..=17 => whole.len() - 6,
        18..=20 => whole.len() - 9,
        _ => return None,
    };
    let is_number = is_fraction && whole.iter().all(u8::is_ascii_digit);
    let seconds = str::from_utf8(&whole[..seconds_length]).ok()?;
    is_number.then_some(())?;
    of_seconds(seconds.parse().ok()?)
}

fn of_seconds(seconds: i64) -> Option<Timestamp> {
    let seconds = u64::try_from(seconds).ok()?;
    Some(Timestamp::from_unix_seconds(seconds))
}

fn digits(bytes: &[u8]) -> Option<u16> {
    bytes.iter().try_fold(0u16, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| u16::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_second_in_every_form() {
        for text in [
            "10/Oct/2026:13:55:36 -0700",
            "10/Oct/2026:20:55:36 +0000",
            "10/oct/2026:20:55:36",
            "2026-10-10T20:55:36Z",
            "2026-10-10T22:55:36+02:00",
            "2026-10-10T20:55:36.123456Z",
            "2026-10-10T22:55:36+02:00[Europe/Berlin]",
            "2026-10-10 20:55:36",
            "1791665736",
            "1791665736.250",
            "1791665736250",
            "1791665736250000",
            "1791665736250000000",
        ] {
            let time = read(text.as_bytes()).map(Timestamp::unix_seconds);
            assert_eq!(time, Some(1_791_665_736), "{text}");
        }
        let time = of_date(b"2026-10-10", b"20:55:36").map(Timestamp::unix_seconds);
        assert_eq!(time, Some(1_791_665_736));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "-",
            "1/2",
            "99/Oct/2026:13:55:36 -0700",
            "10/Okt/2026:13:55:36 +0000",
            "10/Oct/2026:13:55:36 -07",
            "2026-13-01T00:00:00Z",
            "2026-10-10T20:55:36[America/New_York]",
            "1e9",
            "1.2.3",
            "-5",
            "5.",
            "123456789012345678901",
            "01/Jan/0001:00:00:00 +0000",
        ] {
            let read = read(text.as_bytes());
            let is_short = text == "5.";
            assert_eq!(read.is_none(), !is_short, "{text}: {read:?}");
        }
    }

    proptest! {
        #[test]
        fn common_times_come_back(seconds in 0_i64..253_000_000_000, offset in -14_i32 * 60..14 * 60) {
            let time = jiff::Timestamp::from_second(seconds).unwrap();
            let zone = Offset::from_seconds(offset * 60).unwrap();
            let text = time.to_zoned(zone.to_time_zone()).strftime("%d/%b/%Y:%H:%M:%S %z").to_string();
            let back = read(text.as_bytes()).map(Timestamp::unix_seconds);
            prop_assert_eq!(back, u64::try_from(seconds).ok(), "{}", text);
        }

        #[test]
        fn any_bytes_are_taken(text in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = read(&text);
        }
    }
}
