//! `empty-file`: a file without a record.

use verger::{Clause, LineKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "empty-file",
    severity: Severity::Note,
    summary: "the file is empty, or has comments alone",
    explanation: "\
Crawlers may fetch everything, as they may where there is no file. That may be meant; it is also what is left where
a build or a template lost the text. `Disallow:` below `User-agent: *` says the same on purpose.",
    wrong: Example::of(b"# nothing yet\n"),
    right: Example::of(b"User-agent: *\nDisallow:\n"),
    clauses: &[Clause::new("R9309-2.2.2-7")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_nothing = |kind| matches!(kind, LineKind::Blank | LineKind::Comment);
    let is_answered_otherwise = file
        .served
        .fetch
        .as_ref()
        .is_some_and(|fetch| !fetch.has_content());
    if is_answered_otherwise || !file.robots.lines().all(|line| is_nothing(line.kind())) {
        return;
    }
    let has_comments = file
        .robots
        .lines()
        .any(|line| matches!(line.kind(), LineKind::Comment));
    let what = if has_comments {
        "has comments alone"
    } else {
        "is empty"
    };
    let message = format!("the file {what}, so crawlers may fetch everything");
    let help = "write what is meant: `User-agent: *` and `Disallow:` allow everything";
    found.add(Draft::new(file.first_line(), message).help(help));
}
