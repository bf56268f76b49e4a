//! The tables of a page: the crawlers, and the lines of rules with samples.

use std::io::{self, Write};

use verger_audit::{CountedCrawler, DisallowedLine};

use crate::audit::audit_rows::{AuditRows, obeys};
use crate::audit::human::notes;
use crate::count_of::HumanCountOf;
use crate::web_page::Text;

/// How many lines of rules a page shows; JSON has more.
const LINES_SHOWN: usize = 200;

/// Writes a row for each crawler and result of the check, and below it one with what is to be said of it in words:
/// ten columns leave no width for it.
pub(super) fn write_crawlers(output: &mut impl Write, rows: &AuditRows<'_>) -> io::Result<()> {
    output.write_all(
        b"<table><thead><tr><th scope=\"col\">crawler</th><th scope=\"col\">operator</th>\
          <th scope=\"col\">says that it obeys</th><th scope=\"col\">check</th>\
          <th scope=\"col\">requests</th><th scope=\"col\">allowed</th>\
          <th scope=\"col\">within grace, or robots.txt refused</th><th scope=\"col\">disallowed</th>\
          <th scope=\"col\">unknown</th><th scope=\"col\">for robots.txt</th></tr></thead>\n<tbody>\n",
    )?;
    for row in &rows.rows {
        let tally = row.tally;
        let class = if tally.disallowed > 0 {
            " class=\"disallow\""
        } else {
            ""
        };
        let notes = notes(rows, row);
        let above = if notes.is_empty() {
            ""
        } else {
            " class=\"above-notes\""
        };
        writeln!(
            output,
            "<tr{above}><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td{class}>{}</td><td>{}</td><td>{}</td></tr>",
            Text(row.crawler.name()),
            Text(row.crawler.operator()),
            obeys(row),
            row.check.as_str(),
            tally.requests,
            tally.allowed,
            tally.within_grace + tally.robots_refused,
            tally.disallowed,
            tally.unknown,
            tally.robots.total(),
        )?;
        if !notes.is_empty() {
            let notes = notes.join("; ");
            writeln!(
                output,
                "<tr class=\"notes\"><td colspan=\"10\">{}</td></tr>",
                Text(notes)
            )?;
        }
    }
    output.write_all(b"</tbody></table>\n")
}

/// Writes the lines of rules that disallowed the most requests, with samples.
pub(super) fn write_lines(output: &mut impl Write, rows: &AuditRows<'_>) -> io::Result<()> {
    let mut lines: Vec<(&CountedCrawler<'_>, &DisallowedLine)> = Vec::new();
    for row in &rows.rows {
        lines.extend(
            row.tally
                .lines
                .by_requests()
                .into_iter()
                .map(|line| (row, line)),
        );
    }
    if lines.is_empty() {
        return writeln!(output, "<p>No request was disallowed.</p>");
    }
    lines.sort_by_key(|(_, line)| std::cmp::Reverse(line.requests));
    output.write_all(
        b"<table><thead><tr><th scope=\"col\">crawler</th><th scope=\"col\">check</th>\
          <th scope=\"col\">line</th><th scope=\"col\">rule</th><th scope=\"col\">requests</th>\
          <th scope=\"col\">for example</th></tr></thead>\n<tbody>\n",
    )?;
    for (row, line) in lines.iter().take(LINES_SHOWN) {
        write_line(output, row, line)?;
    }
    output.write_all(b"</tbody></table>\n")?;
    match lines.len().saturating_sub(LINES_SHOWN) {
        0 => Ok(()),
        rest => writeln!(
            output,
            "<p class=\"cut\">{} not shown; <code>--format json</code> has all.</p>",
            HumanCountOf(rest as u64, "more line is", "more lines are")
        ),
    }
}

fn write_line(
    output: &mut impl Write,
    row: &CountedCrawler<'_>,
    line: &DisallowedLine,
) -> io::Result<()> {
    let number = line.line.map(|line| line.to_string()).unwrap_or_default();
    write!(
        output,
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{number}</td><td><code>{}</code>",
        Text(row.crawler.name()),
        row.check.as_str(),
        Text(&line.rule)
    )?;
    if !line.authority.is_empty() {
        write!(
            output,
            " <span class=\"soft\">{}</span>",
            Text(&line.authority)
        )?;
    }
    write!(output, "</td><td>{}</td><td>", line.requests)?;
    for sample in &line.samples {
        write!(
            output,
            "<div><code>{}</code> <span class=\"soft\">{} {} {}:{}</span></div>",
            Text(&sample.target),
            Text(&sample.time),
            Text(sample.address.as_deref().unwrap_or("-")),
            Text(&sample.log),
            sample.log_line
        )?;
    }
    output.write_all(b"</td></tr>\n")
}
