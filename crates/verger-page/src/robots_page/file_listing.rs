//! The file line by line, with reasons where something was ignored.

use std::collections::BTreeMap;
use std::io::{self, Write};

use verger::{Line, LineKind, Record, RecordKind, RobotsTxt, Span};
use verger_answer::{CountOf, FileDiagnostic};

use super::line_link::LINES_MAX;
use crate::web_page::{Message, Text, start_of_line, write_cut, write_folded};

/// Maximum number of bytes shown of a line.
const LINE_BYTES_MAX: usize = 2000;
/// Maximum number of notes shown next to a line.
const NOTES_MAX: usize = 10;
/// Number of lines that are not folded.
const UNFOLDED: usize = 80;

/// Writes how many lines were ignored or read differently, then the lines with the reasons.
pub(super) fn write(output: &mut impl Write, robots: &RobotsTxt) -> io::Result<()> {
    let mut kinds: BTreeMap<&'static str, usize> = BTreeMap::new();
    for diagnostic in FileDiagnostic::all_of(robots) {
        *kinds.entry(diagnostic.kind.as_str()).or_default() += 1;
    }
    let kinds = kinds.iter().map(|(kind, count)| format!("{count} {kind}"));
    let kinds: Vec<_> = kinds.collect();
    if kinds.is_empty() {
        output.write_all("<p>✓ Nothing was ignored, cut or read differently.</p>\n".as_bytes())?;
    } else {
        writeln!(
            output,
            "<p>Ignored, cut or read differently: {}.</p>",
            kinds.join(", ")
        )?;
    }
    for diagnostic in FileDiagnostic::all_of(robots).filter(|it| it.line.is_none()) {
        writeln!(output, "<p>{}</p>", why(&diagnostic))?;
    }
    let mut diagnostics = FileDiagnostic::all_of(robots)
        .filter(|it| it.line.is_some())
        .peekable();
    let shown = robots.lines().take(LINES_MAX as usize);
    let lines = shown.map(|line| {
        let mut notes = Vec::new();
        while let Some(note) = diagnostics.next_if(|next| next.line <= Some(line.number())) {
            notes.push(note);
        }
        (line, notes)
    });
    let lines: Vec<_> = lines.collect();
    let summary = |count| CountOf(count, "more line", "more lines").to_string();
    write_folded(output, &lines, UNFOLDED, summary, |output, lines| {
        output.write_all(
            b"<table class=\"file\"><thead><tr><th scope=\"col\" class=\"n\">Line</th>\
              <th scope=\"col\" class=\"g\">Group</th><th scope=\"col\">Text</th></tr></thead><tbody>\n",
        )?;
        for (line, notes) in lines {
            write_row(output, robots, line, notes)?;
        }
        output.write_all(b"</tbody></table>\n")
    })?;
    let left_out = (robots.lines().count() - lines.len()) as u64;
    write_cut(output, left_out, ["line more", "lines more"], "not shown")
}

/// Returns a reason and its source, such as RFC 9309.
fn why(diagnostic: &FileDiagnostic<'_>) -> String {
    let (text, clause) = (
        diagnostic.kind.to_string(),
        diagnostic.kind.clause().to_string(),
    );
    let text = start_of_line(text.as_bytes(), LINE_BYTES_MAX).0;
    format!("{} ({})", Message(text), Text(clause))
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
        write!(output, "<span class=\"reason\">↳ {}</span>", why(note))?;
    }
    if let Some(more) = notes.len().checked_sub(NOTES_MAX + 1) {
        write!(output, "<span class=\"reason\">↳ {} more</span>", more + 1)?;
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
    let parts = [
        record.map(|record| (record.key_span(), "key")),
        record.map(|record| (record.value_span(), value_class(record))),
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
            let text = Text(span.of(body)).to_string();
            let text = match class {
                // In a key, a dash is a mistake for a hyphen. In a comment it is not.
                "key" => text.replace('–', "\\u{2013}").replace('—', "\\u{2014}"),
                "rule" => text.replace('*', "<i>*</i>").replace('$', "<i>$</i>"),
                _ => text,
            };
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

fn value_class(record: &Record<'_>) -> &'static str {
    match record.kind() {
        RecordKind::Allow | RecordKind::Disallow => "rule",
        _ => "value",
    }
}

fn write_between(output: &mut impl Write, body: &[u8], start: u32, end: u32) -> io::Result<()> {
    if start < end {
        write!(output, "{}", Text(Span { start, end }.of(body)))?;
    }
    Ok(())
}
