//! The date of `unavailable_after`, "in a widely adopted format including, but not limited to RFC
//! 822, RFC 850, and ISO 8601" (Google).

use jiff::Timestamp as Time;
use jiff::civil::{Date, DateTime};
use jiff::fmt::{rfc2822, strtime};
use jiff::tz::TimeZone;
use verger_access::Timestamp;
use verger_extensions::{DirectiveSource, PageDirective};

/// Maximum length of a date in bytes.
const DATE_BYTES_MAX: usize = 64;

/// Returns the time that a directive such as `unavailable_after` has as its value. Without a zone it
/// is in UTC, and without a time it is the start of the day. A year of two digits is at most 50 years
/// after `at`. Returns `None` for any other text.
#[must_use]
pub fn page_date(directive: &PageDirective, at: Timestamp) -> Option<Timestamp> {
    let text = directive.value.as_deref()?.trim();
    if text.len() > DATE_BYTES_MAX {
        return None;
    }
    let time = match text.strip_prefix('@') {
        // A Date of RFC 9651 3.3.7.
        Some(seconds) if directive.source == DirectiveSource::RobotsTag => {
            return Some(of_seconds(seconds.parse().ok()?));
        }
        _ => time_of(text, at)?,
    };
    Some(of_seconds(time.as_second()))
}

fn time_of(text: &str, at: Timestamp) -> Option<Time> {
    (text.parse().ok())
        .or_else(|| in_utc(text.parse::<DateTime>().ok()?))
        .or_else(|| in_utc(text.parse::<Date>().ok()?.at(0, 0, 0, 0)))
        .or_else(|| of_iso_with_zone(text))
        .or_else(|| of_mail(text, at))
        .or_else(|| of_c(text))
}

/// Returns a time. Earlier times than 1970 become 1970.
fn of_seconds(seconds: i64) -> Timestamp {
    Timestamp::from_unix_seconds(u64::try_from(seconds).unwrap_or(0))
}

fn in_utc(time: DateTime) -> Option<Time> {
    TimeZone::UTC.to_timestamp(time).ok()
}

/// Reads ISO 8601 with a space and a zone after the time: `2010-06-25 15:00:00 UTC`.
fn of_iso_with_zone(text: &str) -> Option<Time> {
    let (time, zone) = text.rsplit_once(' ')?;
    let offset = offset(zone)?;
    format!("{}{offset}", time.trim_end()).parse().ok()
}

/// Reads `Fri Jun 25 15:00:00 2010`, as `asctime` of C writes it.
fn of_c(text: &str) -> Option<Time> {
    let mut parsed = strtime::parse("%a %b %e %T %Y", text).ok()?;
    // It may be wrong.
    parsed.set_weekday(None);
    in_utc(parsed.to_datetime().ok()?)
}

/// Reads RFC 822 and RFC 850: `Friday, 25-Jun-10 15:00:00 PST` has hyphens instead of spaces. A
/// missing time or zone is added.
fn of_mail(text: &str, at: Timestamp) -> Option<Time> {
    // The weekday is redundant and often wrong.
    let date = text.split_once(',').map_or(text, |(_, rest)| rest).trim();
    let (date, rest) = date.split_once(':').map_or((date, ""), |(start, _)| {
        let hour = start.trim_end_matches(|it: char| it.is_ascii_digit()).len();
        date.split_at(hour)
    });
    let date = date.replace('-', " ");
    let mut words = date.split_whitespace();
    let (day, month, year) = (words.next()?, words.next()?, words.next()?);
    let mut after = rest.split_whitespace();
    let clock = after.next().unwrap_or("00:00:00");
    let offset = offset(after.next().unwrap_or("GMT"))?;
    if words.next().or_else(|| after.next()).is_some() {
        return None;
    }
    let parser = rfc2822::DateTimeParser::new().relaxed_weekday(true);
    let of_year = |year: &str| {
        let text = format!("{day} {month} {year} {clock} {offset}");
        parser.parse_timestamp(text).ok()
    };
    match year.len() {
        4 => of_year(year),
        2 => of_short_year(of_year, year, at),
        _ => None,
    }
}

/// Returns the latest time in a year that ends with these digits and is not "more than 50 years in the
/// future" (RFC 9110 5.6.7, about RFC 850).
fn of_short_year(
    of_year: impl Fn(&str) -> Option<Time>,
    digits: &str,
    at: Timestamp,
) -> Option<Time> {
    let now = Time::from_second(i64::try_from(at.unix_seconds()).ok()?).ok()?;
    let now = TimeZone::UTC.to_datetime(now);
    let of_limit = |day| Date::new(now.year() + 50, now.month(), day);
    // The 29th of February has no 50th anniversary.
    let limit = of_limit(now.day()).or_else(|_| of_limit(28)).ok()?;
    let limit = in_utc(limit.to_datetime(now.time()))?;
    let century = now.year() / 100;
    let centuries = [century + 1, century, century - 1];
    let mut times = centuries
        .iter()
        .filter_map(|it| of_year(&format!("{it:02}{digits}")));
    times.find(|time| *time <= limit)
}

/// Returns the offset of a zone of RFC 822 5.1, such as `PST`, or of `+02:00`, as `-0800`. Other names
/// are unknown zones, and a date in such a zone is not valid.
fn offset(zone: &str) -> Option<String> {
    const ZONES: [(&str, &str); 12] = [
        ("UT", "+0000"),
        ("UTC", "+0000"),
        ("GMT", "+0000"),
        ("Z", "+0000"),
        ("EST", "-0500"),
        ("EDT", "-0400"),
        ("CST", "-0600"),
        ("CDT", "-0500"),
        ("MST", "-0700"),
        ("MDT", "-0600"),
        ("PST", "-0800"),
        ("PDT", "-0700"),
    ];
    let mut named = ZONES.iter();
    match named.find(|(name, _)| zone.eq_ignore_ascii_case(name)) {
        Some((_, offset)) => Some((*offset).to_owned()),
        None => zone.starts_with(['+', '-']).then(|| zone.replace(':', "")),
    }
}

#[cfg(test)]
mod tests {
    use verger_extensions::PageDirectives;

    use super::*;

    /// Reads a date at the end of November 2026.
    fn date(text: &str) -> Option<String> {
        let at = Timestamp::from_unix_seconds(1_795_996_800);
        time_of(text, at).map(|time| of_seconds(time.as_second()).to_string())
    }

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
            ("2010-06-25 15:00:00 UTC", "2010-06-25T15:00:00Z"),
            ("2010-06-25 15:00 +0200", "2010-06-25T13:00:00Z"),
            ("2010-06-25T15:00:00  PST", "2010-06-25T23:00:00Z"),
            ("25 Jun 2010 15:00:00 +02:00", "2010-06-25T13:00:00Z"),
            ("25 Jun 2010 15:00:00 utc", "2010-06-25T15:00:00Z"),
            ("31-Dec-60", "2060-12-31T00:00:00Z"),
            ("29-Nov-76 00:00:00 GMT", "2076-11-29T00:00:00Z"),
            ("2-Dec-76 00:00:00 GMT", "1976-12-02T00:00:00Z"),
            ("29-Feb-00", "2000-02-29T00:00:00Z"),
        ] {
            assert_eq!(date(text).as_deref(), Some(time), "{text}");
        }
    }

    #[test]
    fn a_date_of_a_structured_field_is_a_number_of_seconds() {
        let at = Timestamp::from_unix_seconds(1_795_996_800);
        let of = |name: &[u8], field: &[u8]| {
            let mut directives = PageDirectives::default();
            directives.add_field(name, field, 1);
            let time = directives.iter().next().and_then(|it| page_date(it, at));
            time.map(Timestamp::unix_seconds)
        };
        let structured = |field| of(b"Robots-Tag", field);
        let after = Some(1_277_506_800);
        assert_eq!(structured(b"*;unavailable_after=@1277506800"), after);
        assert_eq!(structured(b"*;unavailable_after=@-5"), Some(0));
        assert_eq!(structured(b"*;unavailable_after=1277506800"), None);
        let other = of(b"X-Robots-Tag", b"unavailable_after: @1277506800");
        assert_eq!(other, None);
    }

    #[test]
    fn other_text_is_no_date() {
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
            "25 Jun 2030 15:00:00 XYZ",
            "25 Jun 2030 15:00:00 GMT GMT",
            "25 Jun 110",
            "29-Feb-01",
            "2030-06-25 UTC",
            "2030-06-25 15:00:00 XYZ",
            "@1277506800",
        ] {
            assert_eq!(date(text), None, "{text}");
        }
        let mut directives = PageDirectives::default();
        let long = format!("unavailable_after: {}", "1".repeat(1 << 10));
        directives.add_meta("robots", &long, 1);
        let at = Timestamp::from_unix_seconds(0);
        assert!(directives.iter().all(|it| page_date(it, at).is_none()));
    }
}
