use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "invalid-content-usage",
    severity: Severity::Warning,
    summary: "a Content-Usage line is invalid",
    explanation: "\
A Content-Usage line has an optional path and a dictionary with the labels `train-ai`, `ai-use` and `search` and
the values `y` and `n`, such as `/articles/ train-ai=n`. Earlier drafts had other labels. Unknown labels and
values state no preference. An upper-case label makes the whole line unreadable.",
    wrong: Example::of(b"User-agent: *\nContent-Usage: ai=n\nAllow: /\n"),
    right: Example::of(b"User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n"),
    clauses: &[Clause::new("AA-1"), Clause::new("AV-1"), Clause::new("AV-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "write `train-ai=n, search=y`";
    add_problems(file, RecordKind::ContentUsage, help, found);
}
