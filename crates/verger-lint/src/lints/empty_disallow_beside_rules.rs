use std::collections::BTreeSet;

use verger::{Clause, Group, GroupMatch, RecordKind};

use crate::example::Example;
use crate::extent::Selected;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "empty-disallow-beside-rules",
    severity: Severity::Note,
    summary: "a Disallow line without a path does not cancel the other rules for the same crawler",
    explanation: "\
`Disallow:` without a path allows everything, but only if it is the only rule. If the crawler has other rules,
in this or another group, they still apply, and this line has no effect. Remove it, or the others if everything
should be open.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nDisallow:\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-26"), Clause::new("G-syn-4"), Clause::new("R9309-2.2.1-7")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut reported = BTreeSet::new();
    for Selected { crawler, .. } in &file.selected().all {
        let groups = file.index.groups_for(crawler);
        let groups = groups.iter().flat_map(GroupMatch::groups);
        let rules = groups.flat_map(Group::records);
        let rules = rules.filter(|it| it.kind() == RecordKind::Disallow);
        let (empty, other): (Vec<_>, Vec<_>) = rules.partition(|it| it.value().is_empty());
        let (Some(empty), Some(other)) = (empty.first(), other.first()) else {
            continue;
        };
        if reported.insert(empty.line()) {
            let message =
                "`Disallow:` without a path closes nothing, and does not cancel other rules";
            let draft = Draft::new(empty.span(), message).also(other.span(), "still applies");
            found.add(if Subject::has_other_rule(empty) {
                draft.help("remove it: nothing changes")
            } else {
                draft
            });
        }
    }
}
