//! The counts for people.

use std::io::{self, Write};

use verger_answer::HumanCountOf;
use verger_answer::text::{grouped, legible};
use verger_audit::{AuditAnswer, CountedCrawler, CrawlerTally, LogTotals};

use crate::screen::palette::{DISALLOWED, DOUBTFUL, FAINT, HEADING};

/// Maximum number of lines shown for a crawler. JSON has more.
const LINES_SHOWN: usize = 5;

const COLUMNS: [&str; 10] = [
    "crawler",
    "check",
    "requests",
    "allowed",
    "grace",
    "disallowed",
    "unknown",
    "robots.txt",
    "obeys",
    "purpose",
];

pub(super) fn write(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    write_totals(output, answer.totals)?;
    if let Some(ages) = answer.ages.in_words() {
        writeln!(output, "{ages}")?;
    }
    if answer.rows.is_empty() {
        return writeln!(output, "no request of a known crawler");
    }
    writeln!(output)?;
    write_table(output, answer)?;
    for row in &answer.rows {
        write_crawler(output, answer, row)?;
    }
    Ok(())
}

fn write_totals(output: &mut impl Write, totals: &LogTotals) -> io::Result<()> {
    let lines = HumanCountOf(totals.lines, "line", "lines");
    let requests = HumanCountOf(totals.of_crawlers, "request", "requests");
    write!(output, "{lines}, {requests} of known crawlers")?;
    if let (Some(first), Some(last)) = (totals.span.first, totals.span.last) {
        write!(output, ", {first} to {last}")?;
    }
    writeln!(output)?;
    write_lines(output, totals.not_read, "cannot be read")?;
    for place in &totals.first_not_read {
        let log = legible(place.log.as_bytes());
        writeln!(
            output,
            "  {FAINT}{log}:{}: {}{FAINT:#}",
            place.line, place.problem
        )?;
    }
    for (count, what) in totals.notes() {
        write_lines(output, count, what)?;
    }
    Ok(())
}

fn write_lines(output: &mut impl Write, count: u64, what: &str) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    let lines = HumanCountOf(count, "line", "lines");
    writeln!(output, "{DOUBTFUL}{lines} {what}{DOUBTFUL:#}")
}

fn write_table(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    let cells: Vec<[String; 10]> = answer.rows.iter().map(cells).collect();
    let mut widths = COLUMNS.map(str::len);
    for row in &cells {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.len());
        }
    }
    write!(output, "{HEADING}")?;
    write_row(output, &COLUMNS, &widths)?;
    writeln!(output, "{HEADING:#}")?;
    for row in &cells {
        write_row(output, row, &widths)?;
        writeln!(output)?;
    }
    Ok(())
}

/// Writes two columns of text, then numbers, then two columns of text. The last one is not padded.
fn write_row(
    output: &mut impl Write,
    cells: &[impl AsRef<str>; 10],
    widths: &[usize; 10],
) -> io::Result<()> {
    for (index, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let cell = cell.as_ref();
        match index {
            0 => write!(output, "{cell:<width$}")?,
            1 | 8 => write!(output, "  {cell:<width$}")?,
            9 => write!(output, "  {cell}")?,
            _ => write!(output, "  {cell:>width$}")?,
        }
    }
    Ok(())
}

fn cells(row: &CountedCrawler<'_>) -> [String; 10] {
    let tally = row.tally;
    let number = |count: u64| grouped(count);
    [
        row.crawler.name().to_owned(),
        row.check.as_str().to_owned(),
        number(tally.requests),
        number(tally.allowed),
        number(tally.within_grace),
        number(tally.disallowed),
        number(tally.unknown),
        number(tally.robots.total()),
        row.crawler.obeys().as_str().to_owned(),
        row.purposes(),
    ]
}

/// Writes the details of a crawler, for which the table has no room.
fn write_crawler(
    output: &mut impl Write,
    answer: &AuditAnswer<'_>,
    row: &CountedCrawler<'_>,
) -> io::Result<()> {
    let tally = row.tally;
    let notes = answer.notes(row);
    if tally.disallowed == 0 && notes.is_empty() {
        return Ok(());
    }
    let (name, operator) = (row.crawler.name(), row.crawler.operator());
    writeln!(output)?;
    writeln!(
        output,
        "{HEADING}{name}{HEADING:#} ({operator}), {}",
        row.check.as_str()
    )?;
    for note in notes {
        writeln!(output, "  {note}")?;
    }
    for line in tally.lines.by_requests().iter().take(LINES_SHOWN) {
        let requests = HumanCountOf(line.requests, "request", "requests");
        let place = match line.line {
            Some(number) => format!("line {number}: "),
            None => String::new(),
        };
        write!(
            output,
            "  {DISALLOWED}{requests}{DISALLOWED:#} by {place}{}",
            line.rule
        )?;
        if !line.authority.is_empty() {
            write!(output, " {FAINT}({}){FAINT:#}", line.authority)?;
        }
        writeln!(output)?;
        if let Some(robots) = line.robots_in_words() {
            writeln!(output, "    {FAINT}{robots}{FAINT:#}")?;
        }
        for sample in &line.samples {
            let log = legible(sample.log.as_bytes());
            let address = sample.address.as_deref().unwrap_or("-");
            write!(
                output,
                "    {FAINT}{log}:{}{FAINT:#} {} {address} {}",
                sample.log_line, sample.time, sample.target
            )?;
            if let Some(request) = &sample.robots_request {
                write!(output, " {FAINT}({request}){FAINT:#}")?;
            }
            writeln!(output)?;
        }
    }
    write_rest(output, tally)
}

fn write_rest(output: &mut impl Write, tally: &CrawlerTally) -> io::Result<()> {
    let lines = tally.lines.by_requests();
    let shown: u64 = lines
        .iter()
        .take(LINES_SHOWN)
        .map(|line| line.requests)
        .sum();
    match tally.disallowed - shown {
        0 => Ok(()),
        rest => writeln!(
            output,
            "  {} by other lines",
            HumanCountOf(rest, "request", "requests")
        ),
    }
}
