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
    let keeps_a_rule = file.keeping_rules(is_empty);
    let empty = file.robots.records_of(RecordKind::Allow).filter(is_empty);
    for record in empty.filter(|it| it.group().is_some()) {
        let (message, help) = if keeps_a_rule(&record) {
            (
                "`Allow:` without a path has no effect, and does not allow everything",
                "remove it: nothing changes",
            )
        } else {
            (
                "`Allow:` without a path has no effect, and the group has no other rule, so it closes nothing",
                "write `Allow: /`, which says so",
            )
        };
        found.add(Draft::new(record.span(), message).help(help));
    }
}
