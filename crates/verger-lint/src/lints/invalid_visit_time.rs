use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "invalid-visit-time",
    severity: Severity::Note,
    summary: "a Visit-time is not two times of day",
    explanation: "\
A Visit-time is a daily window in UTC, such as `0600-0845`. Any other value is ignored. Hardly any crawler reads this
line.",
    wrong: Example::of(b"User-agent: *\nVisit-time: 6:00-8:45\nDisallow: /private\n"),
    right: Example::of(b"User-agent: *\nVisit-time: 0600-0845\nDisallow: /private\n"),
    clauses: &[Clause::new("V-77")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "write two times of day in UTC: `0600-0845`";
    add_problems(file, RecordKind::VisitTime, help, found);
}
