use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "invalid-clean-param",
    severity: Severity::Warning,
    summary: "a Clean-param line cannot be used",
    explanation: "\
A Clean-param line has query parameters, separated by `&`, then optionally a space and the beginning of a path.
It has at most 500 characters.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nClean-param: sid forum/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\nClean-param: sid /forum/\n"),
    clauses: &[Clause::new("V-79")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "write `name&name /path`";
    add_problems(file, RecordKind::CleanParam, help, found);
}
