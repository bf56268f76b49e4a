//! `PolicyCache`: the policies of one line, one for all crawlers to which the same groups apply.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use verger::{Crawler, Dialect, Group, LineNumber, NamedBy, Policy, RobotsTxt};

/// The policies in the cache have so many rules together, unless one alone has more.
const RULES_KEPT_MAX: usize = 100_000;

/// The groups of so many crawlers are remembered: questions often name a few crawlers in turn, and
/// finding groups takes a walk through the records.
const CRAWLERS_REMEMBERED_MAX: usize = 16;

/// What selects the rules of a crawler: of one body, equal selections make equal policies.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Selection {
    dialect: Dialect,
    /// The first lines of the groups that apply to it; none where no group does.
    groups: Vec<LineNumber>,
    is_named: bool,
}

/// Policies about one body, each made once while it is in the cache.
#[derive(Debug, Default)]
pub(crate) struct PolicyCache {
    by_selection: BTreeMap<Rc<Selection>, Policy>,
    by_age: VecDeque<Rc<Selection>>,
    weight: usize,
    remembered: VecDeque<(Crawler, Rc<Selection>)>,
}

impl Selection {
    fn of(crawler: &Crawler, robots: &RobotsTxt) -> Self {
        let found = robots.groups_for(crawler);
        let groups = found.as_ref().map_or(&[][..], |found| found.groups());
        Self {
            dialect: robots.dialect(),
            groups: groups.iter().map(Group::line).collect(),
            is_named: found.is_some_and(|found| found.named_by() == NamedBy::Token),
        }
    }

    /// What it costs to keep it with its policy, in rules: a group costs one as well.
    fn weight(&self, policy: &Policy) -> usize {
        1 + self.groups.len() + policy.rules().len()
    }
}

impl PolicyCache {
    /// The rules that apply to `crawler`.
    pub(crate) fn of(&mut self, crawler: &Crawler, robots: &RobotsTxt) -> &Policy {
        let selection = self.selection(crawler, robots);
        if !self.by_selection.contains_key(&selection) {
            let policy = robots.policy(crawler);
            self.weight += selection.weight(&policy);
            self.drop_oldest();
            self.by_age.push_back(Rc::clone(&selection));
            self.by_selection.insert(Rc::clone(&selection), policy);
        }
        &self.by_selection[&selection]
    }

    fn selection(&mut self, crawler: &Crawler, robots: &RobotsTxt) -> Rc<Selection> {
        let mut remembered = self.remembered.iter();
        let known = remembered
            .find(|(asked, selection)| selection.dialect == robots.dialect() && asked == crawler);
        if let Some((_, selection)) = known {
            return Rc::clone(selection);
        }
        let selection = Rc::new(Selection::of(crawler, robots));
        self.remembered.truncate(CRAWLERS_REMEMBERED_MAX - 1);
        let entry = (crawler.clone(), Rc::clone(&selection));
        self.remembered.push_front(entry);
        selection
    }

    /// Makes room: the weight already counts the one to come.
    fn drop_oldest(&mut self) {
        while self.weight > RULES_KEPT_MAX {
            let Some(oldest) = self.by_age.pop_front() else {
                return;
            };
            if let Some(policy) = self.by_selection.remove(&oldest) {
                self.weight -= oldest.weight(&policy);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::fmt::Write;

    #[test]
    fn crawlers_of_the_same_groups_share_a_policy() {
        let body = "User-agent: *\nDisallow: /a\nUser-agent: q\nDisallow: /b\n";
        let mut policies = PolicyCache::default();
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            let robots = RobotsTxt::parse(body, dialect);
            for number in 0..300 {
                let crawler = Crawler::named(&format!("bot{number}"), dialect).unwrap();
                let policy = policies.of(&crawler, &robots);
                assert_eq!(policy.rules().len(), 1);
            }
            let named = Crawler::named("q", dialect).unwrap();
            let line = policies.of(&named, &robots).group().unwrap().line;
            assert_eq!(line.get(), 3);
        }
        assert_eq!(policies.by_selection.len(), 4);
    }

    #[test]
    fn crawlers_asked_about_in_turn_are_remembered_and_only_so_many() {
        let robots = RobotsTxt::parse("User-agent: *\nAllow: /", Dialect::Rfc9309);
        let mut policies = PolicyCache::default();
        let mut ask = |number| {
            let name = format!("bot-{number}");
            let crawler = Crawler::named(&name, Dialect::Rfc9309).unwrap();
            policies.of(&crawler, &robots);
            policies.remembered.len()
        };
        assert_eq!([0, 1, 0, 1, 0, 2].map(&mut ask), [1, 2, 2, 2, 2, 3]);
        assert_eq!((0..100).map(&mut ask).max(), Some(CRAWLERS_REMEMBERED_MAX));
    }

    #[test]
    fn a_group_that_names_a_crawler_and_is_for_star_makes_two_policies() {
        let robots = RobotsTxt::parse("User-agent: *\nUser-agent: q\nAllow: /", Dialect::Rfc9309);
        let mut policies = PolicyCache::default();
        for (name, named_by) in [("q", NamedBy::Token), ("z", NamedBy::Star)] {
            let crawler = Crawler::named(name, Dialect::Rfc9309).unwrap();
            let group = policies.of(&crawler, &robots).group().unwrap();
            assert_eq!(group.named_by, named_by);
        }
    }

    #[test]
    fn rules_are_kept_up_to_a_limit_and_the_oldest_go_first() {
        let mut body = String::new();
        for name in ["a", "b", "c"] {
            writeln!(body, "User-agent: {name}").unwrap();
            for number in 0..40_000 {
                writeln!(body, "Disallow: /{number}").unwrap();
            }
        }
        // Google reads bodies of any length.
        let robots = RobotsTxt::parse(body, Dialect::Google);
        let mut policies = PolicyCache::default();
        let mut kept = |name| {
            let crawler = Crawler::named(name, Dialect::Google).unwrap();
            assert_eq!(policies.of(&crawler, &robots).rules().len(), 40_000);
            let lines = policies.by_age.iter().map(|kept| kept.groups[0].get());
            assert_eq!(policies.weight, 40_002 * policies.by_age.len());
            lines.collect::<Vec<_>>()
        };
        assert_eq!(kept("a"), [1]);
        assert_eq!(kept("b"), [1, 40_002]);
        assert_eq!(kept("a"), [1, 40_002]);
        assert_eq!(kept("c"), [40_002, 80_003]);
    }

    #[test]
    fn one_policy_is_kept_however_many_rules_it_has() {
        let mut body = "User-agent: *\n".to_owned();
        for number in 0..RULES_KEPT_MAX {
            writeln!(body, "Disallow: /{number}").unwrap();
        }
        let robots = RobotsTxt::parse(body, Dialect::Google);
        let mut policies = PolicyCache::default();
        for name in ["a", "b"] {
            let crawler = Crawler::named(name, Dialect::Google).unwrap();
            assert_eq!(policies.of(&crawler, &robots).rules().len(), RULES_KEPT_MAX);
        }
        assert_eq!(policies.by_age.len(), 1);
    }
}
