use std::collections::{BTreeMap, VecDeque};

use verger::{Crawler, Dialect, GroupIndex, GroupSelection, Policy};

/// Maximum number of rules in the cache, unless a single policy has more.
const RULES_KEPT_MAX: usize = 100_000;

/// The key of a policy. For one body, equal selections yield equal policies.
type Selection = (Dialect, GroupSelection);

/// A cache of policies for one line.
///
/// Other interfaces use a different cache. This one ends with its line and counts rules, so the
/// result of a line depends on nothing else.
#[derive(Debug, Default)]
pub(crate) struct PolicyCache {
    by_selection: BTreeMap<Selection, Policy>,
    by_age: VecDeque<Selection>,
    weight: usize,
}

impl PolicyCache {
    /// Returns the rules that apply to `crawler`.
    pub(crate) fn of(&mut self, crawler: &Crawler, index: &GroupIndex) -> &Policy {
        let selection = (index.robots().dialect(), index.selection(crawler));
        if !self.by_selection.contains_key(&selection) {
            let policy = index.policy(crawler);
            self.weight += weight(&policy);
            self.drop_oldest();
            self.by_age.push_back(selection.clone());
            self.by_selection.insert(selection.clone(), policy);
        }
        &self.by_selection[&selection]
    }

    /// Makes room for a new policy, which `weight` already includes.
    fn drop_oldest(&mut self) {
        while self.weight > RULES_KEPT_MAX {
            let Some(oldest) = self.by_age.pop_front() else {
                return;
            };
            if let Some(policy) = self.by_selection.remove(&oldest) {
                self.weight -= weight(&policy);
            }
        }
    }
}

/// Returns the cost of a policy, in rules.
fn weight(policy: &Policy) -> usize {
    1 + policy.rule_count()
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::fmt::Write;

    use verger::{NamedBy, RobotsTxt};

    fn index(body: &str, dialect: Dialect) -> GroupIndex {
        GroupIndex::new(RobotsTxt::parse(body, dialect))
    }

    #[test]
    fn crawlers_of_the_same_groups_share_a_policy() {
        let body = "User-agent: *\nDisallow: /a\nUser-agent: q\nDisallow: /b\n";
        let mut policies = PolicyCache::default();
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            let index = index(body, dialect);
            for number in 0..300 {
                let crawler = Crawler::named(&format!("bot{number}"), dialect).unwrap();
                let policy = policies.of(&crawler, &index);
                assert_eq!(policy.rule_count(), 1);
            }
            let named = Crawler::named("q", dialect).unwrap();
            let line = policies.of(&named, &index).group().unwrap().line;
            assert_eq!(line.get(), 3);
        }
        assert_eq!(policies.by_selection.len(), 4);
    }

    #[test]
    fn a_group_that_names_a_crawler_and_is_for_star_makes_two_policies() {
        let body = "User-agent: *\nUser-agent: q\nAllow: /";
        let index = index(body, Dialect::Rfc9309);
        let mut policies = PolicyCache::default();
        for (name, named_by) in [("q", NamedBy::Token), ("z", NamedBy::Star)] {
            let crawler = Crawler::named(name, Dialect::Rfc9309).unwrap();
            let group = policies.of(&crawler, &index).group().unwrap();
            assert_eq!(group.named_by, named_by);
        }
    }

    #[test]
    fn rules_are_kept_up_to_a_limit_and_the_oldest_go_first() {
        let names = ["a", "b", "c"];
        let mut body = String::new();
        for name in names {
            writeln!(body, "User-agent: {name}").unwrap();
            for number in 0..40_000 {
                writeln!(body, "Disallow: /{number}").unwrap();
            }
        }
        // Google's dialect reads bodies of any length.
        let index = index(&body, Dialect::Google);
        let crawler = |name| Crawler::named(name, Dialect::Google).unwrap();
        let mut policies = PolicyCache::default();
        let mut kept = |name| {
            assert_eq!(
                policies.of(&crawler(name), &index).rule_count(),
                40_000,
                "{name}"
            );
            assert_eq!(policies.weight, 40_001 * policies.by_age.len());
            let kept = names.iter().filter(|name| {
                let selection = index.selection(&crawler(name));
                policies
                    .by_selection
                    .contains_key(&(Dialect::Google, selection))
            });
            kept.copied().collect::<String>()
        };
        assert_eq!(kept("a"), "a");
        assert_eq!(kept("b"), "ab");
        assert_eq!(kept("a"), "ab");
        assert_eq!(kept("c"), "bc");
    }

    #[test]
    fn one_policy_is_kept_however_many_rules_it_has() {
        let mut body = "User-agent: *\nAllow: /\nUser-agent: b\n".to_owned();
        for number in 0..RULES_KEPT_MAX {
            writeln!(body, "Disallow: /{number}").unwrap();
        }
        let index = index(&body, Dialect::Google);
        let mut policies = PolicyCache::default();
        for (name, rules) in [("a", 1), ("b", RULES_KEPT_MAX)] {
            let crawler = Crawler::named(name, Dialect::Google).unwrap();
            assert_eq!(policies.of(&crawler, &index).rule_count(), rules);
        }
        assert_eq!(policies.by_age.len(), 1);
    }
}
