use verger::{Clause, LineKind, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "empty-file",
    severity: Severity::Note,
    summary: "the file is empty, or crawlers read none of its lines",
    explanation: "\
Crawlers may fetch everything, as without a file. That may be intended, or a build or a template may have lost
or replaced the text. If another lint explains why a line is not read, that finding is reported instead. To
allow everything on purpose, write `User-agent: *` and `Disallow:`.",
    wrong: Example::of(b"# nothing yet\n"),
    right: Example::of(b"User-agent: *\nDisallow:\n"),
    clauses: &[Clause::new("R9309-2.2.2-7")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_unread = |kind| match kind {
        LineKind::Record(record) => record.kind() == RecordKind::Other,
        LineKind::Blank | LineKind::Comment | LineKind::Invalid(_) => true,
    };
    let is_nothing = |kind| matches!(kind, LineKind::Blank | LineKind::Comment);
    let is_answered_otherwise = file
        .served
        .fetch
        .as_ref()
        .is_some_and(|fetch| !fetch.has_content());
    if is_answered_otherwise || !file.robots.lines().all(|line| is_unread(line.kind())) {
        return;
    }
    let has_text = !file.robots.lines().all(|line| is_nothing(line.kind()));
    let mistakes = ["invisible-character", "missing-colon", "misspelt-key"];
    let is_mistaken = || found.places_of(&mistakes).next().is_some();
    if has_text && (file.is_page() || is_mistaken()) {
        return;
    }
    let has_comments = file
        .robots
        .lines()
        .any(|line| matches!(line.kind(), LineKind::Comment));
    let what = if has_text {
        "has no line that crawlers read"
    } else if has_comments {
        "has only comments"
    } else {
        "is empty"
    };
    let message = format!("the file {what}, so crawlers may fetch everything");
    let help = "to allow everything on purpose, write `User-agent: *` and `Disallow:`";
    found.add(Draft::new(file.first_line(), message).help(help));
}
