use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "invalid-request-rate",
    severity: Severity::Note,
    summary: "a Request-rate is not a number of requests per time",
    explanation: "\
A Request-rate is a number of requests, a slash and a time, such as `1/10s`, optionally with a daily window in
UTC, such as `1/10s 0600-0845`. Any other value is ignored. Hardly any crawler reads this line.",
    wrong: Example::of(b"User-agent: *\nRequest-rate: 10\nDisallow: /private\n"),
    right: Example::of(b"User-agent: *\nRequest-rate: 1/10s\nDisallow: /private\n"),
    clauses: &[Clause::new("V-76")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "write requests per time: `1/10s`";
    add_problems(file, RecordKind::RequestRate, help, found);
}
