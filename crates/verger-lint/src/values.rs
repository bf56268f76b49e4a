//! Findings about values of extension records, from the problems that `verger-extensions` reports.

use verger::RecordKind;
use verger_extensions::{ValueProblem, value_problems};

use crate::finding::{Draft, Findings};
use crate::subject::Subject;

/// Adds a finding for each problem with a value of one kind of record, except empty values, which
/// have their own lint.
pub(crate) fn add_problems(
    file: &Subject<'_>,
    kind: RecordKind,
    help: &'static str,
    found: &mut Findings,
) {
    for record in file.robots.records_of(kind) {
        for problem in value_problems(&record) {
            if problem.problem != ValueProblem::Empty {
                found.add(Draft::new(problem.span, problem.problem.to_string()).help(help));
            }
        }
    }
}
