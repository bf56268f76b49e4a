//! `missing-leading-slash`: a path that matches nothing.

use verger::{Clause, DiagnosticKind, Span};

use super::regular_expression::regular_expression;
use super::url_as_path::path_of_url;
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "missing-leading-slash",
    severity: Severity::Error,
    summary: "a path starts with neither `/` nor `*` and matches nothing",
    explanation: "\
Every path of a URL starts with a slash, and a rule is compared from its first character. Put a slash before
the path, or `/*` where the text may be anywhere in it. Full URLs and regular expressions have findings of
their own.",
    wrong: Example::of(b"User-agent: *\nDisallow: private/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\n"),
    clauses: &[Clause::new("V-33"), Clause::new("GL-match-3"), Clause::new("R9309-2.2.2-3")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_one = |kind| kind == DiagnosticKind::PatternWithoutSlash;
    for diagnostic in file.diagnostics.iter().filter(|it| is_one(it.kind)) {
        let pattern = file.octets(diagnostic.span);
        if path_of_url(pattern).is_some() || regular_expression(pattern).is_some() {
            continue;
        }
        let start = diagnostic.span.start;
        let before = Span { start, end: start };
        let fix = Fix::new("put a slash before it", Meaning::Changed, before, &b"/"[..]);
        found.add(
            Draft::new(diagnostic.span, diagnostic.kind.to_string())
                .help("put a slash before it")
                .fix(fix),
        );
    }
}
