//! `AuditPage`: the results of an access log audit, with charts.

mod bars;
mod tables;

use std::io::{self, Write};

use verger_answer::HumanCountOf;
use verger_answer::text::day_text;
use verger_audit::{AuditAnswer, CountedCrawler, RequestCheck};

use crate::web_page::{Text, write_cut, write_page, write_part};
use bars::{Bar, Bars, Part};

/// Maximum number of crawlers in a chart, by requests.
const CRAWLERS_SHOWN: usize = 25;

/// Maximum number of days in a chart, the last ones.
const DAYS_SHOWN: usize = 120;

const OF_REQUESTS: [Part; 4] = [
    Part {
        class: "bar-good",
        name: "allowed, or for robots.txt",
    },
    Part {
        class: "bar-some",
        name: "within the grace period, or without robots.txt",
    },
    Part {
        class: "bar-bad",
        name: "disallowed",
    },
    Part {
        class: "bar-soft",
        name: "unknown",
    },
];

const OF_CHECKS: [Part; 3] = [
    Part {
        class: "bar-good",
        name: "verified",
    },
    Part {
        class: "bar-soft",
        name: "unverifiable",
    },
    Part {
        class: "bar-bad",
        name: "impostor",
    },
];

const OF_DAYS: [Part; 2] = [
    Part {
        class: "bar-plain",
        name: "other requests",
    },
    Part {
        class: "bar-bad",
        name: "disallowed",
    },
];

/// A page about an audit of access logs.
#[derive(Clone, Copy, Debug)]
pub struct AuditPage<'a>(pub &'a AuditAnswer<'a>);

impl AuditPage<'_> {
    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        write_page(
            output,
            "Crawlers and robots.txt",
            |output| write_summary(output, self.0),
            |output| write_parts(output, self.0),
        )
    }
}

fn write_summary(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    let totals = answer.totals;
    write!(
        output,
        "<p>{}, {} by known crawlers",
        HumanCountOf(totals.lines, "line", "lines"),
        HumanCountOf(totals.of_crawlers, "request", "requests")
    )?;
    if let (Some(first), Some(last)) = (totals.span.first, totals.span.last) {
        write!(output, ", {first} to {last}")?;
    }
    output.write_all(b". Requests by impostors do not count against any operator.</p>\n")?;
    if let Some(ages) = answer.ages.in_words() {
        writeln!(output, "<p>Checked with {}.</p>", Text(ages))?;
    }
    let unread = (totals.not_read, "cannot be read");
    for (count, what) in std::iter::once(unread).chain(totals.notes()) {
        if count > 0 {
            let lines = HumanCountOf(count, "line", "lines");
            writeln!(output, "<p class=\"some\">{lines} {what}.</p>")?;
        }
    }
    Ok(())
}

fn write_parts<W: Write>(output: &mut W, answer: &AuditAnswer<'_>) -> io::Result<()> {
    if answer.rows.is_empty() {
        return writeln!(output, "<p>No requests by known crawlers.</p>");
    }
    write_part(output, "crawlers", "Requests by crawler", |output| {
        let bars = of_crawlers(answer, |check| check != RequestCheck::Impostor, requests);
        let chart = Bars {
            id: "crawlers-chart",
            title: "Requests by crawler, without impostors",
            parts: &OF_REQUESTS,
        };
        write_lying(output, &chart, bars)?;
        tables::write_crawlers(output, answer)
    })?;
    write_part(output, "days", "Requests by day", |output| {
        let mut bars = of_days(answer);
        let left_out = bars.len().saturating_sub(DAYS_SHOWN);
        bars.drain(..left_out);
        let chart = Bars {
            id: "days-chart",
            title: "Requests by day, without impostors and without days that have no requests",
            parts: &OF_DAYS,
        };
        chart.write_standing(output, &bars)?;
        let days = HumanCountOf(left_out as u64, "earlier day is", "earlier days are");
        write_cut(output, left_out as u64, format_args!("{days} not shown."))?;
        let earlier = own(answer).map(|row| row.tally.days.earlier()).sum();
        let requests = HumanCountOf(earlier, "request is", "requests are");
        let note = format_args!("{requests} from days before the last 400 and not counted by day.");
        write_cut(output, earlier, note)
    })?;
    write_part(
        output,
        "checks",
        "Verified crawlers and impostors",
        |output| {
            let bars = of_crawlers(answer, |_| true, checks);
            let chart = Bars {
                id: "checks-chart",
                title: "Requests by crawler and check result",
                parts: &OF_CHECKS,
            };
            write_lying(output, &chart, bars)
        },
    )?;
    write_part(
        output,
        "rules",
        "Rules that disallowed requests",
        |output| tables::write_lines(output, answer),
    )
}

/// Writes the bars of the busiest crawlers.
fn write_lying<const PARTS: usize>(
    output: &mut impl Write,
    chart: &Bars<PARTS>,
    mut bars: Vec<Bar<PARTS>>,
) -> io::Result<()> {
    let rest = bars.len().saturating_sub(CRAWLERS_SHOWN) as u64;
    bars.truncate(CRAWLERS_SHOWN);
    chart.write_lying(output, &bars)?;
    let crawlers = HumanCountOf(rest, "more crawler is", "more crawlers are");
    write_cut(output, rest, format_args!("{crawlers} not in the chart."))
}

/// Returns one bar per crawler, the busiest first.
fn of_crawlers<const PARTS: usize>(
    answer: &AuditAnswer<'_>,
    is_shown: impl Fn(RequestCheck) -> bool,
    counts: impl Fn(&CountedCrawler<'_>) -> [u64; PARTS],
) -> Vec<Bar<PARTS>> {
    let mut bars: Vec<Bar<PARTS>> = Vec::new();
    for row in answer.rows.iter().filter(|row| is_shown(row.check)) {
        let name = row.crawler.name();
        let place = bars.iter().position(|bar| bar.name == name);
        let place = place.unwrap_or_else(|| {
            bars.push(Bar {
                name: name.to_owned(),
                counts: [0; PARTS],
            });
            bars.len() - 1
        });
        for (sum, count) in bars[place].counts.iter_mut().zip(counts(row)) {
            *sum += count;
        }
    }
    bars.sort_by_key(|bar| std::cmp::Reverse(bar.counts.iter().sum::<u64>()));
    bars
}

/// Returns the counts in the order of [`OF_REQUESTS`].
fn requests(row: &CountedCrawler<'_>) -> [u64; 4] {
    let tally = row.tally;
    [
        tally.allowed + tally.robots.total(),
        tally.within_grace + tally.robots_open,
        tally.disallowed,
        tally.unknown,
    ]
}

/// Returns the counts in the order of [`OF_CHECKS`].
fn checks(row: &CountedCrawler<'_>) -> [u64; 3] {
    let checks = [
        RequestCheck::Verified,
        RequestCheck::Unverifiable,
        RequestCheck::Impostor,
    ];
    checks.map(|check| {
        if row.check == check {
            row.tally.requests
        } else {
            0
        }
    })
}

/// Returns all rows except impostors.
fn own<'a>(answer: &'a AuditAnswer<'a>) -> impl Iterator<Item = &'a CountedCrawler<'a>> {
    let rows = answer.rows.iter();
    rows.filter(|row| row.check != RequestCheck::Impostor)
}

/// Returns one bar per day with requests, in the order of [`OF_DAYS`].
fn of_days(answer: &AuditAnswer<'_>) -> Vec<Bar<2>> {
    let mut days = std::collections::BTreeMap::<_, [u64; 2]>::new();
    for (time, count) in own(answer).flat_map(|row| row.tally.days.iter()) {
        let sums = days.entry(time).or_default();
        sums[0] += count.requests - count.disallowed;
        sums[1] += count.disallowed;
    }
    let bars = days.into_iter().map(|(time, counts)| Bar {
        name: day_text(time),
        counts,
    });
    bars.collect()
}
