use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "invalid-content-signal",
    severity: Severity::Warning,
    summary: "part of a Content-Signal line is invalid",
    explanation: "\
A Content-Signal line lists `search`, `ai-input` and `ai-train`, each with `yes` or `no`, and `use`, separated
by commas. A crawler that follows the policy ignores any other key or value.",
    wrong: Example::of(b"User-agent: *\nContent-Signal: search=yes, train=no\nAllow: /\n"),
    right: Example::of(b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n"),
    clauses: &[Clause::new("CS-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "write `search=yes, ai-input=no, ai-train=no`";
    add_problems(file, RecordKind::ContentSignal, help, found);
}
