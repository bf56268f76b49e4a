use std::collections::BTreeSet;

use verger::{Clause, Record, RuleId};

use crate::agent::Agent;
use crate::example::Example;
use crate::extent::{policies, same_patterns};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "duplicate-rule",
    severity: Severity::Note,
    summary: "the same rule occurs twice for the same crawler",
    explanation: "\
If two rules have the same effect and path, the second never decides. Paths are compared after percent-encoding,
so `/%61` and `/a` are the same. If the two are in different groups, the finding names a crawler to which both
apply. Other crawlers of its group may still need the line. The lint compares rules in up to 200,000 lines.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nDisallow: /tmp\nDisallow: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\nDisallow: /tmp\n"),
    clauses: &[Clause::new("R9309-2.2.2-5"), Clause::new("V-36")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut reported = BTreeSet::new();
    for (agent, policy) in policies(file) {
        let record = |id: RuleId| file.record_of(&policy, id);
        for same in same_patterns(&policy) {
            let rules: Vec<Record<'_>> = same.rules.into_iter().filter_map(record).collect();
            // Rules with one effect follow each other, in line order.
            for of_effect in rules.chunk_by(|left, right| left.kind() == right.kind()) {
                for later in &of_effect[1..] {
                    if reported.insert(later.line()) {
                        found.add(draft(file, agent, &of_effect[0], later));
                    }
                }
            }
        }
    }
}

fn draft(file: &Subject<'_>, agent: &Agent<'_>, first: &Record<'_>, later: &Record<'_>) -> Draft {
    let group_of = |record: &Record<'_>| record.group().map(|group| group.index());
    if group_of(first) != group_of(later) {
        return in_other_group(file, agent, first, later);
    }
    // If the other rule is in the same group, the group keeps a rule and ends in the same place.
    let is_same = first.value() == later.value();
    Draft::new(later.span(), "an earlier line has the same rule")
        .also(first.span(), "here")
        .help("remove this line")
        .fix(is_same.then(|| file.removal_beside(first, later)))
}

/// Reports a rule that another group for the same crawler also has.
fn in_other_group(
    file: &Subject<'_>,
    agent: &Agent<'_>,
    first: &Record<'_>,
    later: &Record<'_>,
) -> Draft {
    let name = quoted(agent.token.as_bytes());
    let message = format!("another group for {name} has the same rule");
    let help = if file.applies_where(later, first) {
        "remove this line"
    } else {
        "other crawlers may need this line: give each crawler one group"
    };
    Draft::new(later.span(), message)
        .also(first.span(), "here")
        .help(help)
}
