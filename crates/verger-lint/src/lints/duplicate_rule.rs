use std::collections::BTreeSet;

use verger::{Clause, Record, RuleId};

use crate::agent::Agent;
use crate::example::Example;
use crate::extent::{Selected, Uses, same_patterns};
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
If two rules have the same effect and path, the second has no effect. Paths that are the same only after
percent-decoding, such as `/a%2Bb` beside `/a%2bb`, are not reported, because some crawlers compare bytes. Neither
is a line in another group if crawlers of that group need it. The lint compares rules in up to 200,000 lines.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nDisallow: /tmp\nDisallow: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\nDisallow: /tmp\n"),
    clauses: &[Clause::new("R9309-2.2.2-5"), Clause::new("V-36")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut reported = BTreeSet::new();
    let mut repeated = Vec::new();
    for Selected { agent, policy, .. } in &file.selected().all {
        let record = |id: RuleId| file.record_of(policy, id);
        for same in same_patterns(policy) {
            let rules: Vec<Record<'_>> = same.rules.into_iter().filter_map(record).collect();
            // Rules with one effect follow each other, in line order.
            for of_effect in rules.chunk_by(|left, right| left.kind() == right.kind()) {
                // Escapes such as `%2B` beside `+` are there for crawlers that compare bytes.
                let is_same = |later: &&Record<'_>| later.value() == of_effect[0].value();
                for later in of_effect[1..].iter().filter(is_same) {
                    if reported.insert(later.line()) {
                        repeated.push((&file.agents[*agent], of_effect[0], *later));
                    }
                }
            }
        }
    }
    let is_read_otherwise = !repeated.is_empty() && !file.is_read_alike;
    let mut by_google = is_read_otherwise.then(|| Uses::new(file.selected_by_google()));
    let kept = file.groups_with_rules(|it| reported.contains(&it.line()));
    for (agent, first, later) in repeated {
        if by_google
            .as_mut()
            .is_none_or(|it| it.has_none(later.line()))
        {
            found.extend(draft(file, agent, &first, &later, &kept));
        }
    }
}

fn draft(
    file: &Subject<'_>,
    agent: &Agent<'_>,
    first: &Record<'_>,
    later: &Record<'_>,
    kept: &BTreeSet<usize>,
) -> Option<Draft> {
    let group_of = |record: &Record<'_>| record.group().map(|group| group.index());
    let is_in_group = group_of(first) == group_of(later);
    let keeps_a_rule = group_of(later).is_some_and(|it| kept.contains(&it));
    // Other crawlers may need it, or the user-agent lines above it may need a rule.
    if !is_in_group && !(file.applies_where(later, first) && keeps_a_rule) {
        return None;
    }
    let message = if is_in_group {
        "an earlier line has the same rule".to_owned()
    } else {
        let name = quoted(agent.token.as_bytes());
        format!("another group for {name} has the same rule")
    };
    // If the other rule is in the same group, the group keeps a rule and ends in the same place.
    let draft = Draft::new(later.span(), message)
        .label(format!("the same as line {}", first.line()))
        .also(first.span(), "here")
        .help("remove it")
        .fix(is_in_group.then(|| file.removal_beside(first, later)));
    Some(draft)
}
