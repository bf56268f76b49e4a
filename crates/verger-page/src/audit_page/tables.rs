//! The tables of an audit page: crawlers, and rule lines with samples.

use std::io::{self, Write};

use verger_answer::CountOf;
use verger_answer::text::grouped;
use verger_audit::{AuditAnswer, CountedCrawler, DisallowedLine};

use crate::web_page::{Columns, Message, Text, write_bar, write_cut, write_folded, write_legend};

/// Maximum number of rule lines on a page. The JSON output has more.
const LINES_SHOWN: usize = 200;

/// Number of crawlers that are not folded.
const UNFOLDED: usize = 25;
/// Number of rule lines that are not folded.
const LINES_UNFOLDED: usize = 20;

/// The parts of a bar, and their meanings. Disallowed requests come first, so that their lengths
/// can be compared.
const PARTS: [(&str, &str); 4] = [
    ("error", "disallowed"),
    (
        "partly",
        "disallowed, but within the grace period or without robots.txt",
    ),
    ("open", "allowed, or for robots.txt"),
    ("undecided", "unknown"),
];

const CRAWLERS: Columns<10> = Columns([
    "crawler",
    "share",
    "disallowed",
    "grace or no robots.txt",
    "allowed",
    "for robots.txt",
    "unknown",
    "requests",
    "check",
    "claims to obey",
]);

const LINES: Columns<6> = Columns([
    "crawler",
    "check",
    "line",
    "rule",
    "requests",
    "for example",
]);

/// Returns the counts in the order of [`PARTS`].
fn parts(row: &CountedCrawler<'_>) -> [u64; 4] {
    let tally = row.tally;
    [
        tally.disallowed,
        tally.within_grace + tally.robots_open,
        tally.allowed + tally.robots.total(),
        tally.unknown,
    ]
}

/// Writes a row for each crawler and check result, with remarks below the name.
pub(super) fn write_crawlers(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    write_legend(output, PARTS)?;
    let sums = answer.rows.iter().map(|row| parts(row).iter().sum());
    let most: u64 = sums.max().unwrap_or(0);
    let summary = |count| CountOf(count, "more crawler", "more crawlers").to_string();
    write_folded(output, &answer.rows, UNFOLDED, summary, |output, rows| {
        CRAWLERS.begin(output, "counts")?;
        for row in rows {
            write_crawler(output, answer, row, most)?;
        }
        output.write_all(b"</tbody></table>\n")
    })
}

fn write_crawler(
    output: &mut impl Write,
    answer: &AuditAnswer<'_>,
    row: &CountedCrawler<'_>,
    most: u64,
) -> io::Result<()> {
    let (crawler, tally, notes) = (row.crawler, row.tally, answer.notes(row));
    write!(
        output,
        "<tr><th scope=\"row\">{} <span class=\"soft\">{}; {}</span>",
        Text(crawler.name()),
        Text(crawler.operator()),
        row.purposes(),
    )?;
    for note in &notes {
        write!(output, "<span class=\"soft\">{}</span>", Message(note))?;
    }
    write!(output, "</th>{}", CRAWLERS.cell(1, "wide"))?;
    let classes = PARTS.map(|(class, _)| class);
    write_bar(output, classes.into_iter().zip(parts(row)), most)?;
    output.write_all(b"</td>")?;
    let class = match tally.disallowed {
        0 => "number",
        _ => "number error",
    };
    let cells = [
        (class, grouped(tally.disallowed)),
        ("number", grouped(tally.within_grace + tally.robots_open)),
        ("number", grouped(tally.allowed)),
        ("number", grouped(tally.robots.total())),
        ("number", grouped(tally.unknown)),
        ("number", grouped(tally.requests)),
        ("", row.check.as_str().to_owned()),
        ("", crawler.obeys().as_str().to_owned()),
    ];
    for (nth, (class, cell)) in cells.iter().enumerate() {
        write!(output, "{}{cell}</td>", CRAWLERS.cell(nth + 2, class))?;
    }
    output.write_all(b"</tr>\n")
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
    let rest = lines.len().saturating_sub(LINES_SHOWN) as u64;
    lines.truncate(LINES_SHOWN);
    let summary = |count| CountOf(count, "more line", "more lines").to_string();
    write_folded(output, &lines, LINES_UNFOLDED, summary, |output, lines| {
        LINES.begin(output, "rules")?;
        for (row, line) in lines {
            write_line(output, row, line)?;
        }
        output.write_all(b"</tbody></table>\n")
    })?;
    let end = "not shown; <code>--format json</code> has all.";
    write_cut(output, rest, ["more line is", "more lines are"], end)?;
    let end = "disallowed by other lines, which are not counted separately.";
    write_cut(output, others, ["request was", "requests were"], end)
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
