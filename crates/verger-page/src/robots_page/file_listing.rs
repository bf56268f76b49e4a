//! The diagnostics, and the file line by line.

use std::collections::BTreeMap;
use std::io::{self, Write};

use verger::{Line, LineKind, Record, RecordKind, RobotsTxt, Span};
use verger_answer::{CountOf, FileDiagnostic};

use super::line_link::{LINES_MAX, write_line};
use crate::web_page::{Columns, Text, start_of_line};

const FINDINGS: Columns<3> = Columns(["Where", "What", "Source"]);

/// Maximum number of bytes shown of a line.
const LINE_BYTES_MAX: usize = 2000;
/// Maximum number of notes shown next to a line.
const NOTES_MAX: usize = 10;
/// Maximum number of diagnostics listed.
const FINDINGS_MAX: usize = 200;

/// Writes the number of diagnostics of each kind, then the first ones.
pub(super) fn write_findings(output: &mut impl Write, robots: &RobotsTxt) -> io::Result<()> {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for diagnostic in FileDiagnostic::all_of(robots) {
        *counts.entry(diagnostic.kind.as_str()).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    if all == 0 {
        return output
            .write_all(b"<p>\xe2\x9c\x93 Nothing was ignored, cut or read differently.</p>\n");
    }
    let kinds = counts.iter().map(|(kind, count)| format!("{count} {kind}"));
    let kinds: Vec<_> = kinds.collect();
    writeln!(
        output,
        "<p>{}: {}.</p>",
        CountOf(all, "finding", "findings"),
        Text(kinds.join(", "))
    )?;
    FINDINGS.begin(output, "", "")?;
    output.write_all(b"<tbody>\n")?;
    let [place_cell, what_cell, clause_cell] =
        [(0, ""), (1, "wide"), (2, "")].map(|(column, class)| FINDINGS.cell(column, class));
    for diagnostic in FileDiagnostic::all_of(robots).take(FINDINGS_MAX) {
        write!(output, "<tr>{place_cell}")?;
        match diagnostic.line {
            Some(line) => write_line(output, line)?,
            None => output.write_all(b"the file")?,
        }
        let (what, clause) = (what(&diagnostic), diagnostic.kind.clause().to_string());
        writeln!(
            output,
            "</td>{what_cell}{}</td>{clause_cell}{}</td></tr>",
            Text(what),
            Text(clause)
        )?;
    }
    output.write_all(b"</tbody></table>\n")?;
    if all > FINDINGS_MAX {
        let more = all - FINDINGS_MAX;
        writeln!(
            output,
            "<p class=\"cut\">{} not listed</p>",
            CountOf(more, "more finding", "more findings")
        )?;
    }
    Ok(())
}

fn what(diagnostic: &FileDiagnostic<'_>) -> Vec<u8> {
    let text = diagnostic.kind.to_string();
    start_of_line(text.as_bytes(), LINE_BYTES_MAX).0.to_vec()
}

pub(super) fn write_lines(output: &mut impl Write, robots: &RobotsTxt) -> io::Result<()> {
    output.write_all(
        b"<table class=\"file\"><thead><tr><th scope=\"col\" class=\"n\">Line</th>\
          <th scope=\"col\" class=\"g\">Group</th><th scope=\"col\">Text</th></tr></thead><tbody>\n",
    )?;
    let mut diagnostics = FileDiagnostic::all_of(robots)
        .filter(|it| it.line.is_some())
        .peekable();
    let mut left_out = 0;
    for line in robots.lines() {
        if line.number().get() > LINES_MAX {
            left_out += 1;
            continue;
        }
        let mut notes = Vec::new();
        while let Some(note) = diagnostics.next_if(|next| next.line <= Some(line.number())) {
            notes.push(note);
        }
        write_row(output, robots, &line, &notes)?;
    }
    output.write_all(b"</tbody></table>\n")?;
    if left_out > 0 {
        writeln!(
            output,
            "<p class=\"cut\">{} more not shown</p>",
            CountOf(left_out, "line", "lines")
        )?;
    }
    Ok(())
}

fn write_row(
    output: &mut impl Write,
    robots: &RobotsTxt,
    line: &Line<'_>,
    notes: &[FileDiagnostic<'_>],
) -> io::Result<()> {
    let record = match line.kind() {
        LineKind::Record(record) => Some(record),
        LineKind::Blank | LineKind::Comment | LineKind::Invalid(_) => None,
    };
    let group = record.and_then(group_of);
    let class = match group {
        _ if !notes.is_empty() => " class=\"noted\"",
        Some(group) if group % 2 == 1 => " class=\"odd\"",
        _ => "",
    };
    let number = line.number();
    write!(
        output,
        "<tr id=\"L{number}\"{class}><th scope=\"row\" class=\"n\">{number}</th>"
    )?;
    match group {
        Some(group) => write!(output, "<td class=\"g\">{group}</td><td>")?,
        None => output.write_all(b"<td class=\"g\"></td><td>")?,
    }
    write_text(output, robots.body(), line, record.as_ref())?;
    for note in notes.iter().take(NOTES_MAX) {
        write!(output, "<span class=\"note\">↳ {}</span>", Text(what(note)))?;
    }
    if let Some(more) = notes.len().checked_sub(NOTES_MAX + 1) {
        write!(output, "<span class=\"note\">↳ {} more</span>", more + 1)?;
    }
    output.write_all(b"</td></tr>\n")
}

/// Returns the group of a record, counted from 1, or `None` if it applies to the whole file or no
/// crawler.
fn group_of(record: Record<'_>) -> Option<usize> {
    match record.kind() {
        RecordKind::Sitemap | RecordKind::Host | RecordKind::CleanParam | RecordKind::License => {
            None
        }
        _ => Some(record.group()?.index() + 1),
    }
}

/// Writes a line with its parts marked up.
fn write_text(
    output: &mut impl Write,
    body: &[u8],
    line: &Line<'_>,
    record: Option<&Record<'_>>,
) -> io::Result<()> {
    let whole = line.span();
    let value_class = match record.map(Record::kind) {
        Some(RecordKind::Allow) => "allow",
        Some(RecordKind::Disallow) => "disallow",
        _ => "value",
    };
    let parts = [
        record.map(|record| (record.key_span(), "key")),
        record.map(|record| (record.value_span(), value_class)),
        line.comment_span().map(|span| (span, "comment")),
        line.dropped_span().map(|span| (span, "dropped")),
    ];
    let mut parts: Vec<(Span, &str)> = parts.into_iter().flatten().collect();
    parts.sort_by_key(|(span, _)| span.start);
    let limit = u32::try_from(LINE_BYTES_MAX).unwrap_or(u32::MAX);
    let end = whole.end.min(whole.start.saturating_add(limit));
    let mut at = whole.start;
    for (span, class) in parts {
        let span = Span {
            start: span.start.clamp(at, end),
            end: span.end.clamp(at, end),
        };
        write_between(output, body, at, span.start)?;
        if !span.is_empty() {
            let text = Text(span.of(body));
            write!(output, "<span class=\"{class}\">{text}</span>")?;
        }
        at = span.end.max(at);
    }
    write_between(output, body, at, end)?;
    if whole.end > end {
        let more = whole.end - end;
        write!(output, "<span class=\"cut\"> … {more} more bytes</span>")?;
    }
    Ok(())
}

fn write_between(output: &mut impl Write, body: &[u8], start: u32, end: u32) -> io::Result<()> {
    if start < end {
        write!(output, "{}", Text(Span { start, end }.of(body)))?;
    }
    Ok(())
}
