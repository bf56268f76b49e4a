use std::collections::BTreeSet;

use verger::{Clause, Effect, Group};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "empty-disallow-beside-rules",
    severity: Severity::Warning,
    summary: "a Disallow line without a path does not cancel the other rules for the same crawler",
    explanation: "\
`Disallow:` without a path allows everything, but only if it is the only rule. If the crawler has other rules,
in this or another group, they still apply. Remove this line or the others.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nDisallow:\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-26"), Clause::new("G-syn-4"), Clause::new("R9309-2.2.1-7")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut records_left = crate::extent::Policies::RECORDS_MAX;
    let mut reported = BTreeSet::new();
    for (_, crawler) in file.selections() {
        let Some(groups) = file.index.groups_for(&crawler) else {
            continue;
        };
        let records = groups.groups().iter().flat_map(Group::records);
        let rules: Vec<_> = records
            .take(records_left)
            .inspect(|_| records_left -= 1)
            .filter_map(|record| record.as_rule())
            .filter(|rule| rule.effect() == Effect::Disallow)
            .collect();
        let empty = rules.iter().find(|rule| rule.pattern().is_empty());
        let other = rules.iter().find(|rule| !rule.pattern().is_empty());
        if let (Some(empty), Some(other)) = (empty, other) {
            if !reported.insert(empty.span().start) {
                continue;
            }
            let message = "this does not cancel the other rules for the same crawler";
            let draft = Draft::new(empty.span(), message)
                .also(other.span(), "still applies")
                .help("remove one of the two lines");
            found.add(draft);
        }
    }
}
