use verger::{Clause, DiagnosticKind, InvalidLine};

use super::missing_colon::{READ_BY_GOOGLE, end_of_key, is_read_by_google};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

/// Maximum number of lines to report in a file.
const LINES_MAX: usize = 20;

pub(super) const LINT: Lint = Lint {
    code: "unreadable-line",
    severity: Severity::Warning,
    summary: "a line is not a record, so it is ignored",
    explanation: "\
A line has a key, a colon and a value. Crawlers ignore a line without a colon or without a key. Put `#` before
text for people. A line without a slash is a note. The lint reports the first 20 such lines of a file.",
    wrong: Example::of(b"User-agent: *\nThese pages are private\nDisallow: /private\n"),
    right: Example::of(b"User-agent: *\n# These pages are private\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.3.1.5-1"), Clause::new("R9309-2.2-5")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    if file.is_page() {
        return;
    }
    let unreadable = file.diagnostics.iter().filter(|it| match it.kind {
        DiagnosticKind::InvalidLine(InvalidLine::NoSeparator) => {
            end_of_key(file.bytes(it.span)).is_none()
        }
        DiagnosticKind::InvalidLine(InvalidLine::EmptyKey) => true,
        _ => false,
    });
    for diagnostic in unreadable.take(LINES_MAX) {
        // A line that looks like a rule is worse than plain words.
        let looks_like_rule = file.bytes(diagnostic.span).contains(&b'/');
        let (message, help) = if is_read_by_google(file, diagnostic) {
            (
                READ_BY_GOOGLE.to_owned(),
                "write the key as in `Disallow: /path`",
            )
        } else {
            let help = "put a `#` before text for readers, or remove the line";
            (diagnostic.kind.to_string(), help)
        };
        let draft = Draft::new(diagnostic.span, message);
        found.add(draft.help(help).note_if(!looks_like_rule));
    }
}
