use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "invalid-host",
    severity: Severity::Note,
    summary: "the value of a Host line is not a host name",
    explanation: "\
A Host line has the name of the preferred mirror, optionally with a scheme and a port, and without a path. Any
other value is ignored.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nHost: www.h.example/start\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\nHost: www.h.example\n"),
    clauses: &[Clause::new("V-78")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "write a host: `www.example.com`";
    add_problems(file, RecordKind::Host, help, found);
}
