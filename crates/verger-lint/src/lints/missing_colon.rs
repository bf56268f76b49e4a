use verger::{Clause, Diagnostic, DiagnosticKind, Dialect, InvalidLine, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "missing-colon",
    severity: Severity::Warning,
    summary: "a known key has no colon, so its line is ignored",
    explanation: "\
Crawlers ignore a line without a colon. Google's library still reads it if it has exactly two words, so crawlers
disagree. Put a colon after the key.",
    wrong: Example::of(b"User-agent: *\nDisallow /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-15"), Clause::new("GL-key-2")],
    check,
};

/// Keys of checked lines, in lower case.
const KEYS: [&str; 5] = ["user-agent", "disallow", "allow", "sitemap", "crawl-delay"];

/// Characters that people write instead of the colon.
const IN_PLACE_OF_A_COLON: &[u8] = b"=;_-|>";

/// Returns where a known key ends, if white space or a path follows it, or something in place of the
/// colon.
pub(super) fn end_of_key(line: &[u8]) -> Option<usize> {
    let start = line.len() - line.trim_ascii_start().len();
    let line = &line[start..];
    KEYS.iter().find_map(|key| {
        let (written, rest) = line.split_at_checked(key.len())?;
        let is_key = written.eq_ignore_ascii_case(key.as_bytes());
        let other = rest
            .iter()
            .take_while(|it| IN_PLACE_OF_A_COLON.contains(it));
        let is_before_value = matches!(rest.get(other.count()), Some(b' ' | b'\t' | b'/'));
        let ends = is_before_value || matches!(rest, [b'=' | b';', ..]);
        (is_key && ends).then_some(start + key.len())
    })
}

/// Returns the lines without a colon after a known key.
pub(super) fn lines<'s>(file: &'s Subject<'_>) -> impl Iterator<Item = &'s Diagnostic<'s>> {
    let has_none = DiagnosticKind::InvalidLine(InvalidLine::NoSeparator);
    let lines = file
        .diagnostics
        .iter()
        .filter(move |it| it.kind == has_none);
    lines.filter(|it| end_of_key(file.bytes(it.span)).is_some())
}

pub(super) const READ_BY_GOOGLE: &str =
    "the line has no colon: Google reads it, other crawlers ignore it";

/// Returns whether Google's library reads a line that other crawlers ignore.
pub(super) fn is_read_by_google(file: &Subject<'_>, diagnostic: &Diagnostic<'_>) -> bool {
    let google = file.index_in(Dialect::Google).robots();
    let record = diagnostic.line.and_then(|line| google.record_at(line));
    record.is_some_and(|it| it.kind() != RecordKind::Other)
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    if file.is_page() {
        return;
    }
    for diagnostic in lines(file) {
        let line = file.bytes(diagnostic.span);
        let Some(end) = end_of_key(line) else {
            continue;
        };
        let other = line[end..]
            .iter()
            .take_while(|it| IN_PLACE_OF_A_COLON.contains(it));
        let colon = part(diagnostic.span, end..end + other.count());
        let message = if is_read_by_google(file, diagnostic) {
            READ_BY_GOOGLE
        } else {
            "the line has no colon, so crawlers ignore it"
        };
        let draft = Draft::new(diagnostic.span, message);
        found.add(draft.replace("put a colon after the key", colon, &b":"[..]));
    }
}
