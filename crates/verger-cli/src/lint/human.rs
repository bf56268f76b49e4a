//! Findings at their lines.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Level, Origin, Renderer, Snippet};
use verger::Span;
use verger_answer::CountOf;
use verger_lint::report::FileFindings;
use verger_lint::{Finding, LabelledSpan, Linted, Meaning, Severity};

use crate::screen::byte_text::legible;
use crate::screen::palette::FAINT;
use crate::screen::terminal::{Glyphs, Terminal};
use crate::sources::robots_source::RobotsSource;

const SHOWN_MAX: usize = 20;

/// Number of further places whose lines are shown. If there are more, their numbers follow.
const FURTHER_SHOWN: usize = 3;

const LINE_BYTES_MAX: u32 = 1_000;

/// Number of bytes of a long line shown before a finding.
const BEFORE_BYTES: u32 = 100;

pub(super) fn write(
    output: &mut impl Write,
    source: &RobotsSource,
    found: &FileFindings,
) -> io::Result<()> {
    let Terminal { width, glyphs } = Terminal::of_stdout();
    let decor = match glyphs {
        Glyphs::Unicode => DecorStyle::Unicode,
        Glyphs::Ascii => DecorStyle::Ascii,
    };
    let renderer = Renderer::styled()
        .term_width(usize::from(width))
        .decor_style(decor);
    let path = source.name();
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    let mut counts = [0_usize; 3];
    let mut fixable = [0_usize; 2];
    for (severity, finding) in found.counted() {
        counts[severity as usize] += 1;
        if let Some(fix) = &finding.fix {
            fixable[usize::from(fix.meaning == Meaning::Changed)] += 1;
        }
        let of_code = shown.entry(finding.code).or_default();
        *of_code += 1;
        if *of_code <= SHOWN_MAX {
            let text = rendered(&renderer, found.file(), &path, severity, finding);
            writeln!(output, "{text}\n")?;
        }
    }
    for (code, count) in shown.iter().filter(|(_, count)| **count > SHOWN_MAX) {
        let more = count - SHOWN_MAX;
        writeln!(
            output,
            "{FAINT}{path}: {more} more of {code}, all in --format json{FAINT:#}"
        )?;
    }
    write_counts(output, &path, counts, fixable)
}

fn write_counts(
    output: &mut impl Write,
    path: &str,
    [notes, warnings, errors]: [usize; 3],
    [kept, changed]: [usize; 2],
) -> io::Result<()> {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let mut parts = Vec::new();
    for (number, one, many) in [
        (errors, "error", "errors"),
        (warnings, "warning", "warnings"),
        (notes, "note", "notes"),
    ] {
        if number > 0 {
            parts.push(CountOf(count(number), one, many).to_string());
        }
    }
    if parts.is_empty() {
        return writeln!(output, "{path}: nothing found");
    }
    write!(output, "{path}: {}", parts.join(", "))?;
    if kept > 0 {
        write!(output, "; --fix repairs {kept}")?;
    }
    if changed > 0 {
        write!(output, "; --fix-all repairs {}", kept + changed)?;
    }
    writeln!(output)
}

fn rendered(
    renderer: &Renderer,
    file: &Linted,
    path: &str,
    severity: Severity,
    finding: &Finding,
) -> String {
    let level = match severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let mut group = level
        .primary_title(legible(finding.message.as_bytes()))
        .id(finding.code)
        .elements(snippets(file, path, &finding.spans));
    let (shown, _) = finding
        .further
        .split_at(finding.further.len().min(FURTHER_SHOWN));
    group = group.elements(snippets(file, path, shown));
    if let Some(lines) = file
        .further_lines(finding)
        .filter(|_| shown.len() < finding.further.len())
    {
        group = group.element(Level::NOTE.message(lines));
    }
    if finding.spans.is_empty() {
        group = group.element(Origin::path(path));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(legible(help.as_bytes())));
    }
    renderer.render(&[group])
}

/// Returns a snippet for each line with a place, the primary one first.
fn snippets<'s>(
    file: &Linted,
    path: &'s str,
    places: &'s [LabelledSpan],
) -> Vec<Snippet<'s, Annotation<'s>>> {
    let mut snippets: Vec<(u32, Snippet<'s, Annotation<'s>>)> = Vec::new();
    for (nth, place) in places.iter().enumerate() {
        let line = file.position(place.span.start).line.get();
        if snippets.iter().any(|(other, _)| *other == line) {
            continue;
        }
        let shown = ShownLine::of(file, place.span);
        let on_line = places.iter().enumerate().skip(nth);
        let on_line = on_line.filter(|(_, it)| file.position(it.span.start).line.get() == line);
        let annotations = on_line.map(|(number, it)| {
            let kind = if number == 0 {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let annotation = kind.span(shown.range(file.robots().body(), it.span));
            match &*it.label {
                "" => annotation,
                label => annotation.label(label),
            }
        });
        let annotations: Vec<_> = annotations.collect();
        let snippet = Snippet::source(shown.text.clone())
            .line_start(usize::try_from(line).unwrap_or(1))
            .path(path)
            .fold(false)
            .annotations(annotations);
        snippets.push((line, snippet));
    }
    snippets.into_iter().map(|(_, snippet)| snippet).collect()
}

/// A line, or the shown part of a long one.
struct ShownLine {
    bytes: Span,
    text: String,
}

impl ShownLine {
    fn of(file: &Linted, place: Span) -> Self {
        let mut bytes = file.line(place.start);
        if bytes.len() > LINE_BYTES_MAX {
            bytes.start = bytes.start.max(place.start.saturating_sub(BEFORE_BYTES));
            bytes.end = bytes.end.min(bytes.start.saturating_add(LINE_BYTES_MAX));
        }
        Self {
            bytes,
            text: legible(bytes.of(file.robots().body())),
        }
    }

    fn range(&self, body: &[u8], place: Span) -> std::ops::Range<usize> {
        let at = |byte: u32| {
            let before = Span {
                start: self.bytes.start,
                end: byte.clamp(self.bytes.start, self.bytes.end),
            };
            let mut at = legible(before.of(body)).len().min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (at(place.start), at(place.end));
        start..end.max(start)
    }
}
