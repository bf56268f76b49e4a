//! Findings about the values of extension records, out of what `verger-extensions` says is odd about them.

use verger::RecordKind;
use verger_extensions::{ValueProblem, value_problems};

use crate::finding::{Draft, Findings};
use crate::subject::Subject;

/// Adds a finding for each problem with a value of the records of one kind. An empty value is for a lint
/// of its own.
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
