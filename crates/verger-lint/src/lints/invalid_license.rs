use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "invalid-license",
    severity: Severity::Warning,
    summary: "a License line has no absolute URL",
    explanation: "\
A License line has the full URL of an RSL licence, with scheme and host. It applies to the whole file, wherever
it appears.",
    wrong: Example::of(b"License: /license.xml\nUser-agent: *\nAllow: /\n"),
    right: Example::of(b"License: https://h.example/license.xml\nUser-agent: *\nAllow: /\n"),
    clauses: &[Clause::new("RSL-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "write the full URL: `https://host/license.xml`";
    add_problems(file, RecordKind::License, help, found);
}
