//! `AuditPage`: the results of an access log audit.

mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use verger_access::Timestamp;
use verger_answer::text::{day_text, grouped, readable_time};
use verger_answer::{CountOf, HumanCountOf};
use verger_audit::{AuditAnswer, AuditFinding, CountedCrawler, RequestCheck};

use crate::web_page::{
    Columns, Frame, Message, Text, write_bar, write_cut, write_folded, write_part,
};

/// Number of days that are not folded.
const DAYS_UNFOLDED: usize = 21;

const DAYS: Columns<4> = Columns(["day", "share", "disallowed", "requests"]);

/// A page about an audit of access logs.
#[derive(Clone, Copy, Debug)]
pub struct AuditPage<'a> {
    /// The results.
    pub answer: &'a AuditAnswer<'a>,
    /// The command that made the page, for its footer. May be empty.
    pub command: &'a str,
}

impl AuditPage<'_> {
    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let frame = Frame {
            kind: "audit report",
            title: "Crawlers in access logs and robots.txt",
            command: self.command,
        };
        frame.write(
            output,
            |output| write_summary(output, self.answer),
            |output| write_parts(output, self.answer),
        )
    }
}

fn write_summary(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    output.write_all(b"<p class=\"answer\">")?;
    write_sentence(output, answer)?;
    output.write_all(b"</p>\n")?;
    write_checks(output, answer)?;
    let totals = answer.totals;
    let lines = HumanCountOf(totals.lines, "line", "lines");
    let requests = HumanCountOf(totals.of_crawlers, "request", "requests");
    write!(
        output,
        "<p class=\"soft\">{lines}, {requests} by known crawlers"
    )?;
    if let (Some(first), Some(last)) = (totals.span.first, totals.span.last) {
        let [first, last] = [first, last].map(readable_time);
        write!(output, ", from {first} to {last}")?;
    }
    output.write_all(b".")?;
    if let Some(ages) = answer.ages.in_words() {
        write!(output, " Checked with {}.", Text(ages))?;
    }
    output.write_all(b"</p>\n")?;
    let unread = (totals.not_read, "cannot be read");
    for (count, what) in std::iter::once(unread).chain(totals.notes()) {
        if count > 0 {
            let lines = HumanCountOf(count, "line", "lines");
            writeln!(
                output,
                "<p><span class=\"badge warning\">▲</span> {lines} {}.</p>",
                Message(what)
            )?;
        }
    }
    Ok(())
}

/// Writes who requested disallowed URLs.
fn write_sentence(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    if answer.rows.is_empty() {
        return output.write_all(b"No requests by known crawlers.");
    }
    let disallowed: u64 = own(answer).map(|row| row.tally.disallowed).sum();
    let crawlers = own(answer).filter(|row| row.tally.disallowed > 0);
    let crawlers: BTreeSet<_> = crawlers.map(|row| row.crawler.name()).collect();
    let but = match answer.undecided(AuditFinding::Disallowed) {
        Some(_) => ", as far as requests could be judged",
        None => "",
    };
    if disallowed == 0 {
        return write!(output, "No crawler requested a disallowed URL{but}.");
    }
    let crawlers = HumanCountOf(crawlers.len() as u64, "crawler", "crawlers");
    let requests = HumanCountOf(disallowed, "request", "requests");
    write!(
        output,
        "{crawlers} made {requests} for disallowed URLs{but}."
    )
}

/// Writes which requests certainly came from their crawlers.
fn write_checks(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    let of = |check: RequestCheck| {
        let rows = answer.rows.iter().filter(|row| row.check == check);
        rows.map(|row| row.tally.requests).sum::<u64>()
    };
    let checks = [
        RequestCheck::Verified,
        RequestCheck::Unverifiable,
        RequestCheck::Impostor,
    ];
    let [verified, unverifiable, impostors] = checks.map(of);
    let how = if answer.has_evidence {
        "<code>--resolve</code> asks DNS"
    } else {
        "<code>--update-checks</code> reads address ranges, and <code>--resolve</code> asks DNS"
    };
    match (verified, unverifiable) {
        (0, 0) => {}
        (0, _) => writeln!(output, "<p>No crawler could be verified: {how}.</p>")?,
        (_, 0) => writeln!(output, "<p>All crawlers are verified.</p>")?,
        (_, unverifiable) => writeln!(
            output,
            "<p>{} verified. {} not be verified: {how}.</p>",
            HumanCountOf(verified, "request is", "requests are"),
            HumanCountOf(unverifiable, "request could", "requests could")
        )?,
    }
    let requests = HumanCountOf(impostors, "request", "requests");
    match impostors {
        0 => Ok(()),
        _ => writeln!(
            output,
            "<p><span class=\"badge error\">✕ {requests}</span> of impostors, who use the name of a crawler. \
             They do not count against its operator.</p>"
        ),
    }
}

fn write_parts<W: Write>(output: &mut W, answer: &AuditAnswer<'_>) -> io::Result<()> {
    if answer.rows.is_empty() {
        return Ok(());
    }
    write_part(output, "crawlers", "Requests by crawler", |output| {
        tables::write_crawlers(output, answer)
    })?;
    write_part(
        output,
        "rules",
        "Rules that disallowed requests",
        |output| tables::write_lines(output, answer),
    )?;
    write_part(output, "days", "Requests over time", |output| {
        write_days(output, answer)
    })
}

/// Returns all rows except impostors.
fn own<'a>(answer: &'a AuditAnswer<'a>) -> impl Iterator<Item = &'a CountedCrawler<'a>> {
    let rows = answer.rows.iter();
    rows.filter(|row| row.check != RequestCheck::Impostor)
}

/// Writes a row for each day with requests.
fn write_days(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    let mut days = BTreeMap::<_, [u64; 2]>::new();
    for (time, count) in own(answer).flat_map(|row| row.tally.days.iter()) {
        let sums = days.entry(time).or_default();
        sums[0] += count.requests;
        sums[1] += count.disallowed;
    }
    let most = days.values().map(|[all, _]| *all).max().unwrap_or(0);
    let days: Vec<_> = days.into_iter().rev().collect();
    output.write_all(
        b"<p class=\"soft\">Days in UTC, the last one first, without impostors and without days that have no \
          requests. The start of a bar is disallowed.</p>\n",
    )?;
    let summary = |count| CountOf(count, "earlier day", "earlier days").to_string();
    write_folded(output, &days, DAYS_UNFOLDED, summary, |output, days| {
        DAYS.begin(output, "days")?;
        for (day, counts) in days {
            write_day(output, *day, *counts, most)?;
        }
        output.write_all(b"</tbody></table>\n")
    })?;
    let earlier = own(answer).map(|row| row.tally.days.earlier()).sum();
    let end = "from days before the last 400 and not counted by day.";
    write_cut(output, earlier, ["request is", "requests are"], end)
}

fn write_day(
    output: &mut impl Write,
    day: Timestamp,
    [all, disallowed]: [u64; 2],
    most: u64,
) -> io::Result<()> {
    let (day, cell) = (day_text(day), DAYS.cell(1, "wide"));
    write!(output, "<tr><th scope=\"row\">{day}</th>{cell}")?;
    let parts = [("error", disallowed), ("other", all - disallowed)];
    write_bar(output, parts, most)?;
    let numbers = [DAYS.cell(2, "number"), DAYS.cell(3, "number")];
    let counts = [disallowed, all].map(grouped);
    let [of_disallowed, of_all] = &numbers;
    writeln!(
        output,
        "</td>{of_disallowed}{}</td>{of_all}{}</td></tr>",
        counts[0], counts[1]
    )
}
