//! `RuleUse`: whether a rule ever decides.

use verger::RuleId;

use crate::budget::{Budget, Remaining, UsedUp};
use crate::pattern::Pattern;
use crate::policy_set::PolicySet;
use crate::refine::{Judgement, Sought};
use crate::search::shortest_target;
use crate::witness::Witness;

/// Whether a rule of a policy ever decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleUse {
    /// The rule decides. This is the shortest target about which it does.
    Decides(Witness),
    /// The rule never decides, because one of these rules takes precedence wherever it matches.
    /// They are in order of precedence, and the proof needs all of them, unless the budget ran out.
    /// The list is empty if the rule matches no target that clients send, such as a rule with a raw
    /// space in `google`.
    NeverDecides {
        /// The rules that take precedence.
        shadowed_by: Vec<RuleId>,
    },
    /// The budget ran out first.
    NotDecided {
        /// The states of the budget.
        states: u64,
    },
}

impl RuleUse {
    /// Decides whether the rule is ever used, or returns `None` if the policy has no such rule.
    ///
    /// The budget applies to the question itself, and again to finding the rules that the proof
    /// does not need.
    #[must_use]
    pub fn new(set: &PolicySet<'_>, id: RuleId, budget: Budget) -> Option<Self> {
        let rule = set.rule(id)?;
        let mut shadowing = Vec::new();
        let sought = Sought {
            alphabet: set.alphabet(),
            matching: vec![&rule.pattern],
            exempt: set.robots_txt_itself(),
            below: u32::MAX,
            decision_states: set.decision_states(),
        };
        let found = sought.find(&mut Remaining::of(budget), |target| {
            let deciding = set.policy().decide(target).rule();
            let other = deciding.filter(|&deciding| deciding != id);
            match other.and_then(|id| Some((id, set.rule(id)?))) {
                Some((other, rule)) => {
                    shadowing.push(other);
                    Judgement::Without(&rule.pattern)
                }
                None => Judgement::Sought,
            }
        });
        Some(match found {
            Ok(Some(witness)) => Self::Decides(witness),
            Ok(None) => Self::NeverDecides {
                shadowed_by: necessary(set, &rule.pattern, shadowing, budget),
            },
            Err(UsedUp) => Self::NotDecided {
                states: budget.states(),
            },
        })
    }
}

/// Returns those of `shadowing` that are needed to cover all targets of `pattern`.
fn necessary(
    set: &PolicySet<'_>,
    pattern: &Pattern,
    mut shadowing: Vec<RuleId>,
    budget: Budget,
) -> Vec<RuleId> {
    let mut remaining = Remaining::of(budget);
    shadowing.sort_unstable_by_key(|id| set.place(*id));
    let mut index = 0;
    while index < shadowing.len() && shadowing.len() > 1 {
        let kept = shadowing.iter().enumerate();
        let kept = kept.filter_map(|(at, &id)| Some(id).filter(|_| at != index));
        let patterns = kept.filter_map(|id| set.rule(id)).map(|rule| &rule.pattern);
        let others: Vec<&Pattern> = patterns.chain(set.robots_txt_itself()).collect();
        let left = shortest_target(
            set.alphabet(),
            &[pattern],
            &others,
            u32::MAX,
            &mut remaining,
        );
        match left {
            Ok(None) => drop(shadowing.remove(index)),
            Ok(Some(_)) => index += 1,
            Err(UsedUp) => break,
        }
    }
    shadowing
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::{Crawler, Dialect, RobotsTxt};

    #[test]
    fn a_decision_takes_states_where_many_rules_have_a_wildcard() {
        let wildcards = (0..3_200).map(|number| format!("Disallow: /*/b{number}x\n"));
        let body = format!(
            "User-agent: *\nDisallow: /a\n{}",
            wildcards.collect::<String>()
        );
        let policy = RobotsTxt::parse(body, Dialect::Rfc9309).policy(&Crawler::unnamed());
        let set = PolicySet::new(&policy);
        let id = policy
            .rule_ids()
            .zip(policy.rules())
            .find(|(_, rule)| rule.pattern == b"/a")
            .map(|(id, _)| id);
        // The shortest target is known without a search, so only the decision has a cost.
        let rule_use =
            |states| RuleUse::new(&set, id.unwrap(), Budget::from_states(states)).unwrap();
        assert_eq!(rule_use(199), RuleUse::NotDecided { states: 199 });
        assert!(
            matches!(rule_use(200), RuleUse::Decides(witness) if witness.target().as_bytes() == b"/a")
        );
    }
}
