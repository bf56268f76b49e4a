//! Finds the rules that two lists have in common.
//!
//! A rule is common if both lists have it, in the same relative order. Among matching common rules,
//! the same one takes precedence in both. If a common rule takes precedence over all other matching
//! rules of both lists, both policies give the same answer. So only the other rules can make a
//! difference.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use verger::{Effect, RuleId};

use crate::pattern::Pattern;
use crate::policy_set::{ComparedRule, PolicySet};

/// The rules of a policy, in a normalized order that gives the same decisions.
pub(crate) struct RuleList<'s> {
    pub(crate) rules: Vec<ListedRule<'s>>,
    /// For each rule id: the place in `rules` of the rule with its pattern.
    places: Vec<usize>,
}

pub(crate) struct ListedRule<'s> {
    pub(crate) rule: &'s ComparedRule,
    /// Its place in the other list, if it is common.
    pub(crate) place_in_other: Option<usize>,
}

impl<'s> RuleList<'s> {
    /// Creates the lists of two policies and marks the common rules.
    pub(crate) fn of_both(first: &'s PolicySet<'_>, second: &'s PolicySet<'_>) -> [Self; 2] {
        let mut lists = [Self::of(first), Self::of(second)];
        let place_in_second: BTreeMap<_, _> = lists[1]
            .rules
            .iter()
            .enumerate()
            .map(|(place, listed)| (listed.key(), place))
            .collect();
        let same = lists[0].rules.iter().enumerate();
        let same =
            same.filter_map(|(place, listed)| Some((place, *place_in_second.get(&listed.key())?)));
        for (place, in_second) in longest_increasing(&same.collect::<Vec<_>>()) {
            lists[0].rules[place].place_in_other = Some(in_second);
            lists[1].rules[in_second].place_in_other = Some(place);
        }
        lists
    }

    fn of(set: &'s PolicySet<'_>) -> Self {
        let mut seen = BTreeSet::new();
        let rules = set.rules().iter();
        // If two rules have one pattern, the second never decides.
        let mut rules: Vec<&ComparedRule> =
            rules.filter(|rule| seen.insert(&rule.pattern)).collect();
        // Adjacent rules of one effect can be reordered without changing decisions. This order
        // makes equal rules line up in both lists.
        for run in rules.chunk_by_mut(|left, right| left.effect == right.effect) {
            run.sort_by_cached_key(|rule| {
                (
                    Reverse(rule.specificity),
                    rule.pattern.symbols().collect::<Vec<_>>(),
                )
            });
        }
        let by_pattern = rules.iter().enumerate();
        let by_pattern: BTreeMap<&Pattern, usize> = by_pattern
            .map(|(place, rule)| (&rule.pattern, place))
            .collect();
        let mut places = vec![0; set.rules().len()];
        for rule in set.rules() {
            places[rule.id.index()] = by_pattern[&rule.pattern];
        }
        let rules = rules.iter().map(|&rule| ListedRule {
            rule,
            place_in_other: None,
        });
        Self {
            places,
            rules: rules.collect(),
        }
    }

    /// Returns the place of a rule of the policy, or of an earlier one with the same pattern.
    pub(crate) fn place_of(&self, rule: RuleId) -> Option<usize> {
        self.places.get(rule.index()).copied()
    }
}

impl<'s> ListedRule<'s> {
    fn key(&self) -> (&'s Pattern, bool, u32) {
        let rule = self.rule;
        let is_allow = rule.effect == Effect::Allow;
        (&rule.pattern, is_allow, rule.specificity)
    }
}

/// Returns a longest subsequence of pairs, sorted by their first numbers, whose second numbers
/// increase.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, minus one: the last pair of a subsequence of that length, with the least
    // second number.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, &(_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < second);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut selection = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(index) = at {
        selection.push(pairs[index]);
        at = before[index];
    }
    selection.reverse();
    selection
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_selection_increases() {
        let pairs = |seconds: &[usize]| seconds.iter().copied().enumerate().collect::<Vec<_>>();
        assert_eq!(longest_increasing(&[]), []);
        assert_eq!(
            longest_increasing(&pairs(&[3, 1, 4, 0, 5, 2])),
            [(1, 1), (2, 4), (4, 5)]
        );
        assert_eq!(longest_increasing(&pairs(&[2, 1, 0])).len(), 1);
    }
}
