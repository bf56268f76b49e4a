use verger::{Clause, Record, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "empty-allow",
    severity: Severity::Warning,
    summary: "an Allow line without a path has no effect",
    explanation: "\
A rule without a path matches nothing. `Allow:` does not allow everything, and some parsers read it as the
opposite, by analogy with `Disallow:`, which disallows nothing. Remove the line. If it is the only rule of its
group, everything may be fetched, so write `Allow: /`.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nAllow:\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-26"), Clause::new("G-syn-4")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_empty = |it: &Record<'_>| it.value().is_empty();
    let kept = file.groups_with_rules(is_empty);
    for record in file.robots.records_of(RecordKind::Allow).filter(is_empty) {
        let Some(group) = record.group() else {
            continue;
        };
        let draft = if kept.contains(&group.index()) {
            let message = "`Allow:` without a path has no effect, and does not allow everything";
            Draft::new(record.span(), message).help("remove it: nothing changes")
        } else {
            let message = "`Allow:` without a path has no effect, and the group has no other rule, so it closes nothing";
            Draft::new(record.span(), message).help("write `Allow: /`, which says so")
        };
        found.add(draft);
    }
}
