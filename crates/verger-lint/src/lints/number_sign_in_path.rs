use verger::{Clause, LineKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "number-sign-in-path",
    severity: Severity::Warning,
    summary: "a `#` directly after a path ends it",
    explanation: "\
`#` always begins a comment. Without a space before it, it was probably meant as part of the path, so the rule
matches more than intended. Requests never contain `#`, because it begins the fragment, which is not sent. Write
`%23` in a path, or put a space before a comment.",
    wrong: Example::of(b"User-agent: *\nDisallow: /page#comments\n"),
    right: Example::of(b"User-agent: *\nDisallow: /page #comments\n"),
    clauses: &[Clause::new("R9309-2.2.3-2"), Clause::new("G-syn-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for line in file.robots.lines() {
        let (LineKind::Record(record), Some(comment)) = (line.kind(), line.comment_span()) else {
            continue;
        };
        let value = record.value_span();
        if !record.kind().is_rule() || value.is_empty() || value.end != comment.start {
            continue;
        }
        let message = format!(
            "`#` begins a comment, so the path is {}",
            quoted(record.value())
        );
        found.add(
            Draft::new(part(comment, 0..1), message)
                .label("the path ends before it")
                .help("write `%23` in a path, or put a space before a comment"),
        );
    }
}
