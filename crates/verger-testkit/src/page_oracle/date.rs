/// Names of months, of which the first three letters count.
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Zones by name and their hours before UTC, as in RFC 822, 5.1.
const ZONES: [(&str, i64); 12] = [
    ("gmt", 0),
    ("utc", 0),
    ("ut", 0),
    ("z", 0),
    ("est", 5),
    ("edt", 4),
    ("cst", 6),
    ("cdt", 5),
    ("mst", 7),
    ("mdt", 6),
    ("pst", 8),
    ("pdt", 7),
];

/// Returns the second since 1970 of a date in the formats that Google names: RFC 822, RFC 850 and ISO 8601.  GM-23
///
/// Without a zone it is UTC, and without a time the start of the day. A year of two digits depends on `now`.
#[must_use]
pub fn seconds(text: &str, now: i64) -> Option<i64> {
    let text = text.trim_matches(|it: char| it.is_ascii_whitespace());
    if let Some(date) = of_iso_8601(text) {
        return second_of(date);
    }
    let date = of_words(text)?;
    if date.year >= 100 {
        return second_of(date);
    }
    // "More than 50 years in the future" is "the most recent year in the past that had the same last two
    // digits."                                                                     RFC 9110 5.6.7
    let mut found = None;
    for century in 18..=22 {
        let year = century * 100 + date.year;
        let fifty_years_before = second_of(Date {
            day: date.day.min(28),
            year: year - 50,
            ..date
        })?;
        if fifty_years_before <= now {
            found = second_of(Date { year, ..date }).or(found);
        }
    }
    found
}

fn second_of(mut date: Date) -> Option<i64> {
    if date.second == 60 {
        date.second = 59;
    }
    let is_time = date.hour < 24 && date.minute < 60 && date.second < 60;
    let is_date =
        (1..=12).contains(&date.month) && (1..=days_in(date.year, date.month)).contains(&date.day);
    let mut days = 0;
    for year in 1970..date.year {
        days += (1..=12).map(|month| days_in(year, month)).sum::<i64>();
    }
    for year in date.year..1970 {
        days -= (1..=12).map(|month| days_in(year, month)).sum::<i64>();
    }
    for month in 1..date.month {
        days += days_in(date.year, month);
    }
    let of_day = date.hour * 3600 + date.minute * 60 + date.second;
    (is_time && is_date).then_some((days + date.day - 1) * 86_400 + of_day + date.west)
}

#[derive(Clone, Copy, Default)]
struct Date {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    /// Seconds by which the clock is behind UTC.
    west: i64,
}

fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// `2020-09-21`, `2020-09-21T15:00`, `2020-09-21 15:00:00.5+02:00`.
fn of_iso_8601(text: &str) -> Option<Date> {
    let (day, time) = match text.split_once(['T', 't', ' ']) {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    let parts: Vec<&str> = day.split('-').collect();
    let [year, month, day] = parts[..] else {
        return None;
    };
    let mut date = Date {
        year: number(year, 4)?,
        month: number(month, 2)?,
        day: number(day, 2)?,
        ..Date::default()
    };
    let Some(time) = time else {
        return Some(date);
    };
    let at = time.find(|it: char| !it.is_ascii_digit() && it != ':' && it != '.');
    let (clock, zone) = time.split_at(at.unwrap_or(time.len()));
    let clock = clock.split_once('.').map_or(clock, |(clock, _)| clock);
    set_clock(&mut date, clock)?;
    date.west = if zone.trim().is_empty() {
        0
    } else {
        west(zone.trim())?
    };
    Some(date)
}

/// `Fri, 25 Jun 2010 15:00:00 PST`, `Friday, 25-Jun-10 15:00:00 GMT`, `25 Jun 2010`.
fn of_words(text: &str) -> Option<Date> {
    let rest = match text.split_once(',') {
        Some((weekday, rest)) if weekday.chars().all(|it| it.is_ascii_alphabetic()) => rest,
        Some(_) => return None,
        None => text,
    };
    let is_separator = |it: char| it.is_ascii_whitespace();
    let mut words: Vec<String> = rest
        .split(is_separator)
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect();
    let dashed: Vec<String> = words.first()?.split('-').map(str::to_owned).collect();
    if dashed.len() == 3 {
        words.splice(..1, dashed);
    }
    let mut words = words.iter().map(String::as_str);
    let day = words.next()?;
    let month = words.next()?.to_ascii_lowercase();
    let year = words.next()?;
    let mut date = Date {
        day: number(day, day.len().min(2))?,
        month: i64::try_from(MONTHS.iter().position(|it| month == *it)?).ok()? + 1,
        year: match year.len() {
            2 => number(year, 2)?,
            _ => number(year, 4).filter(|it| *it >= 100)?,
        },
        ..Date::default()
    };
    if let Some(clock) = words.next() {
        set_clock(&mut date, clock)?;
    }
    if let Some(zone) = words.next() {
        date.west = west(zone)?;
    }
    words.next().is_none().then_some(date)
}

fn set_clock(date: &mut Date, text: &str) -> Option<()> {
    let parts: Vec<&str> = text.split(':').collect();
    let (2 | 3) = parts.len() else {
        return None;
    };
    date.hour = number(parts[0], 2)?;
    date.minute = number(parts[1], 2)?;
    date.second = parts.get(2).map_or(Some(0), |it| number(it, 2))?;
    Some(())
}

/// Returns the seconds by which a zone is behind UTC.
fn west(zone: &str) -> Option<i64> {
    let named = ZONES
        .iter()
        .find(|(name, _)| zone.eq_ignore_ascii_case(name));
    if let Some((_, hours)) = named {
        return Some(hours * 3600);
    }
    let sign = match zone.chars().next()? {
        '+' => -1,
        '-' => 1,
        _ => return None,
    };
    let digits = zone[1..].replace(':', "");
    let (hours, minutes) = (digits.get(..2)?, digits.get(2..)?);
    Some(sign * (number(hours, 2)? * 3600 + number(minutes, 2)? * 60))
}

fn number(text: &str, digits: usize) -> Option<i64> {
    let is_number = text.len() == digits && text.bytes().all(|it| it.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::seconds;

    /// The end of November 2026.
    const NOW: i64 = 1_795_996_800;

    #[test]
    fn dates_of_the_documents_are_read() {
        // 25 June 2010, 23:00 UTC.
        let expected = Some(1_277_506_800);
        for text in [
            "25 Jun 2010 15:00:00 PST",
            "Fri, 25 Jun 2010 23:00:00 GMT",
            "Friday, 25-Jun-10 23:00:00 GMT",
            "2010-06-25T23:00:00Z",
            "2010-06-26 01:00+02:00",
            " 2010-06-25T15:00:00.5-0800 ",
        ] {
            assert_eq!(seconds(text, NOW), expected, "{text}");
        }
        assert_eq!(seconds("2020-09-21", NOW), Some(1_600_646_400));
        // 31 December 2060, and 1960, which is more than 50 years before 2060 in 2010.
        assert_eq!(seconds("31-Dec-60", NOW), Some(2_871_676_800));
        assert_eq!(seconds("31-Dec-60", 1_277_506_800), Some(-284_083_200));
        assert_eq!(seconds("29-Feb-00", NOW), Some(951_782_400));
        for text in [
            "",
            "9999999",
            "2020-02-30",
            "25 Jun",
            "soon",
            "2020-09-21T25:00",
            "25 Jun 2010 15:00:00 XYZ",
            "1,2",
        ] {
            assert_eq!(seconds(text, NOW), None, "{text}");
        }
    }
}
