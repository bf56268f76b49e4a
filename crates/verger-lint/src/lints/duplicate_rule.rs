use std::collections::BTreeSet;

use verger::{Clause, Dialect, Record, RuleId};

use crate::agent::Agent;
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::{Subject, group_of};
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
    for selected in &file.selected().all {
        let policy = &selected.policy;
        let record = |id: &RuleId| file.record_of(policy, *id);
        for same in selected.same_patterns() {
            let rules: Vec<Record<'_>> = same.iter().filter_map(record).collect();
            // Rules with one effect follow each other, in line order.
            for of_effect in rules.chunk_by(|left, right| left.kind() == right.kind()) {
                // Escapes such as `%2B` beside `+` are there for crawlers that compare bytes.
                let is_same = |later: &&Record<'_>| later.value() == of_effect[0].value();
                for later in of_effect[1..].iter().filter(is_same) {
                    if reported.insert(later.line()) {
                        repeated.push((&file.agents[selected.agent], of_effect[0], *later));
                    }
                }
            }
        }
    }
    let keeps_a_rule = file.keeping_rules(|it| reported.contains(&it.line()));
    for (agent, first, later) in repeated {
        let is_in_group = group_of(&first) == group_of(&later);
        // Other crawlers may need it, or the user-agent lines above it may need a rule.
        let may_go = is_in_group || (keeps_a_rule(&later) && file.applies_where(&later, &first));
        if may_go && is_same_by_google(file, &first, &later) {
            found.add(draft(file, agent, &first, &later));
        }
    }
}

/// Returns whether Google's library also reads both lines in one group, or reads the whole file as
/// RFC 9309 does.
fn is_same_by_google(file: &Subject<'_>, first: &Record<'_>, later: &Record<'_>) -> bool {
    if file.is_read_alike {
        return true;
    }
    let google = file.index_in(Dialect::Google).robots();
    let group = |it: &Record<'_>| group_of(&google.record_at(it.line())?);
    group_of(first) == group_of(later) && group(first).is_some_and(|it| group(later) == Some(it))
}

fn draft(file: &Subject<'_>, agent: &Agent<'_>, first: &Record<'_>, later: &Record<'_>) -> Draft {
    let is_in_group = group_of(first) == group_of(later);
    let message = if is_in_group {
        "an earlier line has the same rule".to_owned()
    } else {
        let name = quoted(agent.token.as_bytes());
        format!("another group for {name} has the same rule")
    };
    // If the other rule is in the same group, the group keeps a rule and ends in the same place.
    Draft::new(later.span(), message)
        .label(format!("the same as line {}", first.line()))
        .also(first.span(), "here")
        .help("remove it")
        .fix(is_in_group.then(|| file.removal_beside(first, later)))
}
