//! `rule-never-decides`: a rule that others overrule wherever it matches.

use std::collections::BTreeSet;

use verger::{Clause, Record, RuleId};
use verger_compare::{Budget, PolicySet, RuleUse};

use crate::extent::{policies, same_patterns};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "rule-never-decides",
    severity: Severity::Warning,
    summary: "a rule has no effect, since others take precedence wherever it matches",
    explanation: "\
Of the rules that match a URL the one with the longest path decides, whatever their order in the file. Where
every URL that a rule matches is matched by a longer rule, too, the rule never decides: often a `*` that was
meant to widen a rule makes it longer. This is proven for all URLs. It is a note where the other rules have the
same effect. Rules with the same path are found by `duplicate-rule` and `contradictory-rules`; what takes more
than 2,000 steps to prove is left out.",
    wrong: b"User-agent: *\nDisallow: /shop/*\nAllow: /shop/\n",
    right: b"User-agent: *\nDisallow: /shop/\nAllow: /shop/help\n",
    clauses: &[Clause::new("R9309-2.2.2-4")],
    check,
};

/// More states are not visited for one rule: a file may have thousands that are written to be slow.
const BUDGET: Budget = Budget::of_states(2_000);

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut reported = BTreeSet::new();
    for policy in policies(file) {
        let same = same_patterns(&policy).into_iter();
        let overruled_by_same: BTreeSet<RuleId> = same
            .flat_map(|same| same.rules.into_iter().skip(1))
            .collect();
        let set = PolicySet::new(&policy);
        for id in policy
            .rule_ids()
            .filter(|id| !overruled_by_same.contains(id))
        {
            let Some(RuleUse::NeverDecides { shadowed_by }) = RuleUse::of(&set, id, BUDGET) else {
                continue;
            };
            let others = shadowed_by.iter();
            let others = others.filter_map(|&other| file.record_of(&policy, other));
            if let Some(rule) = file.record_of(&policy, id)
                && reported.insert(rule.line())
            {
                found.add(draft(&rule, &others.collect::<Vec<_>>()));
            }
        }
    }
}

fn draft(rule: &Record<'_>, others: &[Record<'_>]) -> Draft {
    let message = format!("{} never decides", quoted(rule.value()));
    let draft = Draft::new(rule.span(), message)
        .label("has no effect")
        .help("remove it, or make its path longer than the others");
    let draft = others.iter().fold(draft, |draft, other| {
        draft.also(other.span(), "takes precedence where it matches")
    });
    if others.iter().all(|other| other.kind() == rule.kind()) {
        draft.severity(Severity::Note)
    } else {
        draft
    }
}
