//! The tables of an audit page: crawlers, and rule lines with samples.

use std::io::{self, Write};

use verger_answer::HumanCountOf;
use verger_audit::{AuditAnswer, CountedCrawler, DisallowedLine};

use crate::web_page::{Columns, Text, write_cut};

/// Maximum number of rule lines on a page. The JSON output has more.
const LINES_SHOWN: usize = 200;

const CRAWLERS: Columns<11> = Columns([
    "crawler",
    "operator",
    "purpose",
    "claims to obey",
    "check",
    "requests",
    "allowed",
    "within the grace period, or without robots.txt",
    "disallowed",
    "unknown",
    "for robots.txt",
]);

const LINES: Columns<6> = Columns([
    "crawler",
    "check",
    "line",
    "rule",
    "requests",
    "for example",
]);

/// Writes a row for each crawler and check result. Remarks go in a row below, because eleven
/// columns leave no room.
pub(super) fn write_crawlers(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    CRAWLERS.begin(output, "counts", "")?;
    output.write_all(b"<tbody>\n")?;
    for row in &answer.rows {
        let tally = row.tally;
        let class = if tally.disallowed > 0 { "disallow" } else { "" };
        let notes = answer.notes(row);
        let above = if notes.is_empty() {
            ""
        } else {
            " class=\"above-notes\""
        };
        let name = Text(row.crawler.name());
        write!(output, "<tr{above}><th scope=\"row\">{name}</th>")?;
        let cells = [
            ("", Text(row.crawler.operator()).to_string()),
            ("", row.purposes()),
            ("", row.crawler.obeys().as_str().to_owned()),
            ("", row.check.as_str().to_owned()),
            ("", tally.requests.to_string()),
            ("", tally.allowed.to_string()),
            ("", (tally.within_grace + tally.robots_open).to_string()),
            (class, tally.disallowed.to_string()),
            ("", tally.unknown.to_string()),
            ("", tally.robots.total().to_string()),
        ];
        for (nth, (class, cell)) in cells.iter().enumerate() {
            write!(output, "{}{cell}</td>", CRAWLERS.cell(nth + 1, class))?;
        }
        output.write_all(b"</tr>\n")?;
        if !notes.is_empty() {
            let notes = notes.join("; ");
            writeln!(
                output,
                "<tr class=\"notes\"><td class=\"wide\" colspan=\"{}\">{}</td></tr>",
                CRAWLERS.0.len(),
                Text(notes)
            )?;
        }
    }
    output.write_all(b"</tbody></table>\n")
}

/// Writes the rule lines that disallowed the most requests, with samples.
pub(super) fn write_lines(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    let mut lines: Vec<(&CountedCrawler<'_>, &DisallowedLine)> = Vec::new();
    for row in &answer.rows {
        lines.extend(
            row.tally
                .lines
                .by_requests()
                .into_iter()
                .map(|line| (row, line)),
        );
    }
    let others: u64 = answer.rows.iter().map(|row| row.tally.lines.others()).sum();
    if lines.is_empty() && others == 0 {
        return writeln!(output, "<p>No request was disallowed.</p>");
    }
    lines.sort_by_key(|(_, line)| std::cmp::Reverse(line.requests));
    LINES.begin(output, "", "")?;
    output.write_all(b"<tbody>\n")?;
    for (row, line) in lines.iter().take(LINES_SHOWN) {
        write_line(output, row, line)?;
    }
    output.write_all(b"</tbody></table>\n")?;
    let rest = lines.len().saturating_sub(LINES_SHOWN) as u64;
    let more = HumanCountOf(rest, "more line is", "more lines are");
    let note = format_args!("{more} not shown; <code>--format json</code> has all.");
    write_cut(output, rest, note)?;
    let requests = HumanCountOf(others, "request was", "requests were");
    let note =
        format_args!("{requests} disallowed by other lines, which are not counted separately.");
    write_cut(output, others, note)
}

fn write_line(
    output: &mut impl Write,
    row: &CountedCrawler<'_>,
    line: &DisallowedLine,
) -> io::Result<()> {
    let number = line.line.map(|line| line.to_string()).unwrap_or_default();
    write!(
        output,
        "<tr><th scope=\"row\">{}</th>{}{}</td>{}{number}</td>{}<code>{}</code>",
        Text(row.crawler.name()),
        LINES.cell(1, ""),
        row.check.as_str(),
        LINES.cell(2, ""),
        LINES.cell(3, "wide"),
        Text(&line.rule)
    )?;
    if !line.authority.is_empty() {
        write!(
            output,
            " <span class=\"soft\">{}</span>",
            Text(&line.authority)
        )?;
    }
    if let Some(robots) = line.robots_in_words() {
        write!(output, "<div class=\"soft\">{}</div>", Text(robots))?;
    }
    let (requests, samples) = (LINES.cell(4, ""), LINES.cell(5, "wide"));
    write!(output, "</td>{requests}{}</td>{samples}", line.requests)?;
    for sample in &line.samples {
        let asked = sample.robots_request.as_ref();
        let asked = asked.map(|asked| format!(" ({asked})")).unwrap_or_default();
        write!(
            output,
            "<div><code>{}</code> <span class=\"soft\">{} {} {}:{}{}</span></div>",
            Text(&sample.target),
            Text(&sample.time),
            Text(sample.address.as_deref().unwrap_or("-")),
            Text(&sample.log),
            sample.log_line,
            Text(asked)
        )?;
    }
    output.write_all(b"</td></tr>\n")
}
