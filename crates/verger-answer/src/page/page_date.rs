//! The date of `unavailable_after`, "in a widely adopted format including, but not limited to RFC
//! 822, RFC 850, and ISO 8601" (Google).

use jiff::civil::{Date, DateTime};
use jiff::fmt::{rfc2822, strtime};
use jiff::tz::TimeZone;
use verger_access::Timestamp;

/// Maximum length of a date in bytes.
const DATE_BYTES_MAX: usize = 64;

/// Returns the time of a date. Without a zone it is in UTC, and without a time it is the start of
/// the day. Returns `None` for any other text.
#[must_use]
pub fn page_date(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > DATE_BYTES_MAX {
        return None;
    }
    let time = (text.parse().ok())
        .or_else(|| in_utc(text.parse::<DateTime>().ok()?))
        .or_else(|| in_utc(text.parse::<Date>().ok()?.at(0, 0, 0, 0)))
        .or_else(|| of_mail(text))
        .or_else(|| of_c(text))?;
    let seconds = u64::try_from(time.as_second()).unwrap_or(0);
    Some(Timestamp::from_unix_seconds(seconds))
}

fn in_utc(time: DateTime) -> Option<jiff::Timestamp> {
    TimeZone::UTC.to_timestamp(time).ok()
}

/// Reads `Fri Jun 25 15:00:00 2010`, as `asctime` of C writes it.
fn of_c(text: &str) -> Option<jiff::Timestamp> {
    let mut parsed = strtime::parse("%a %b %e %T %Y", text).ok()?;
    // It may be wrong.
    parsed.set_weekday(None);
    in_utc(parsed.to_datetime().ok()?)
}

/// Reads RFC 822 and RFC 850: `Friday, 25-Jun-10 15:00:00 PST` has hyphens instead of spaces. A
/// missing time or zone is added.
fn of_mail(text: &str) -> Option<jiff::Timestamp> {
    // The weekday is redundant and often wrong.
    let date = text.split_once(',').map_or(text, |(_, rest)| rest).trim();
    let (day, rest) = date.split_once(':').map_or((date, ""), |(start, _)| {
        let hour = start.trim_end_matches(|it: char| it.is_ascii_digit()).len();
        date.split_at(hour)
    });
    let day = day.replace('-', " ");
    let rest = match rest {
        "" => "00:00:00 GMT".to_owned(),
        time if time.contains(' ') => time.to_owned(),
        time => format!("{time} GMT"),
    };
    let parser = rfc2822::DateTimeParser::new().relaxed_weekday(true);
    parser
        .parse_timestamp(format!("{} {rest}", day.trim()))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_every_documented_format() {
        for (text, time) in [
            ("25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"),
            ("Fri, 25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"),
            ("Friday, 25-Jun-10 15:00:00 PST", "2010-06-25T23:00:00Z"),
            ("Friday, 25-Jun-10 15:00:00 GMT", "2010-06-25T15:00:00Z"),
            ("Mon, 25 Jun 2010 15:00 +0200", "2010-06-25T13:00:00Z"),
            ("25-Jun-2010 15:00:00 EST", "2010-06-25T20:00:00Z"),
            ("25 Jun 2010", "2010-06-25T00:00:00Z"),
            ("25 Jun 2010 15:00:00", "2010-06-25T15:00:00Z"),
            ("2010-06-25", "2010-06-25T00:00:00Z"),
            ("2010-06-25T15:00", "2010-06-25T15:00:00Z"),
            ("2010-06-25 15:00:00", "2010-06-25T15:00:00Z"),
            ("2010-06-25T15:00:00Z", "2010-06-25T15:00:00Z"),
            ("2010-06-25T15:00:00+02:00", "2010-06-25T13:00:00Z"),
            ("Fri Jun 25 15:00:00 2010", "2010-06-25T15:00:00Z"),
            ("Mon Jun 25 15:00:00 2010", "2010-06-25T15:00:00Z"),
            ("1 Jan 1960 00:00:00 GMT", "1970-01-01T00:00:00Z"),
        ] {
            assert_eq!(
                page_date(text).map(|it| it.to_string()).as_deref(),
                Some(time),
                "{text}"
            );
        }
    }

    #[test]
    fn other_text_is_no_date() {
        let long = "1".repeat(1 << 20);
        for text in [
            "",
            "9999999",
            "soon",
            "25 Foo 2010",
            "2010-13-45",
            "-",
            ",",
            ":",
            "31 Feb 2010",
            &long,
        ] {
            assert_eq!(page_date(text), None, "{text}");
        }
    }
}
