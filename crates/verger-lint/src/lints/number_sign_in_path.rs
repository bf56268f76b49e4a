use verger::{Clause, LineKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{find_ignoring_case, quoted};

pub(super) const LINT: Lint = Lint {
    code: "number-sign-in-path",
    severity: Severity::Warning,
    summary: "a `#` directly after a path ends it",
    explanation: "\
`#` always begins a comment. Without a space before it, it was probably meant as part of the path, so the rule
matches more than intended. Requests never contain `#`, because it begins the fragment, which is not sent. Remove the
`#` and the text after it, or put a space before a comment. If nothing follows the `#`, the finding is a note.",
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
        let is_rule = record.kind().is_rule() && !value.is_empty();
        // A rule that is a URL has another mistake.
        let is_url = || {
            let path = record.value().strip_prefix(b"/").unwrap_or(record.value());
            let schemes = [&b"http://"[..], b"https://"];
            schemes
                .iter()
                .any(|it| find_ignoring_case(path, it) == Some(0))
        };
        if !is_rule || value.end != comment.start || is_url() {
            continue;
        }
        let message = format!(
            "`#` begins a comment, so the path is {}",
            quoted(record.value())
        );
        let is_last = file.bytes(comment).trim_ascii().len() == 1;
        let help = if is_last {
            "remove the `#`"
        } else {
            "remove the `#` and the text after it, or put a space before a comment"
        };
        found.add(
            Draft::new(part(comment, 0..1), message)
                .label("the path ends before it")
                .help(help)
                .note_if(is_last),
        );
    }
}
