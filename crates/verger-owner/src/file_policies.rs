//! `FilePolicies`: the policies of many crawlers, each made once.

use std::collections::BTreeMap;
use std::rc::Rc;

use verger::{Crawler, Effect, GroupIndex, GroupMatch, GroupSelection, Policy, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::Budget;

/// The policies of one file.
pub(crate) struct FilePolicies {
    index: GroupIndex,
    by_selection: BTreeMap<GroupSelection, FilePolicy>,
    /// The numbers of lists of rules.
    numbers: BTreeMap<Vec<(bool, Vec<u8>)>, usize>,
    rules_left: usize,
}

/// The policies of a file may have so many rules together: each of many names may have groups with many
/// rules in common with others.
const RULES_MAX: usize = 1_000_000;

/// A policy, and the number of its list of rules: policies with the same rules have one number.
#[derive(Clone)]
pub(crate) struct FilePolicy {
    pub(crate) policy: Rc<Policy>,
    pub(crate) number: usize,
}

/// Crawlers whose policies have the same rules, in an old file and in a new one.
pub(crate) struct PolicyPair<'c> {
    pub(crate) crawlers: Vec<&'c ResolvedCrawler>,
    /// Those of the first of the crawlers.
    pub(crate) policies: [Rc<Policy>; 2],
}

impl<'c> PolicyPair<'c> {
    /// The pairs, in the order of the first crawler of each, and for how many crawlers there is none: those before
    /// them have too many rules together.
    pub(crate) fn all(
        files: &mut [FilePolicies; 2],
        crawlers: &'c [ResolvedCrawler],
    ) -> (Vec<Self>, usize) {
        let [old, new] = files;
        let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let (mut pairs, mut left_out): (Vec<Self>, usize) = (Vec::new(), 0);
        for crawler in crawlers {
            let before = old.policy(crawler.crawler());
            let both = before.and_then(|before| Some((before, new.policy(crawler.crawler())?)));
            let Some((before, after)) = both else {
                left_out += 1;
                continue;
            };
            let next = pairs.len();
            let place = *places.entry((before.number, after.number)).or_insert(next);
            if place == next {
                pairs.push(Self {
                    crawlers: Vec::new(),
                    policies: [before.policy, after.policy],
                });
            }
            pairs[place].crawlers.push(crawler);
        }
        (pairs, left_out)
    }
}

impl FilePolicies {
    pub(crate) fn new(robots: RobotsTxt) -> Self {
        Self {
            index: GroupIndex::new(robots),
            by_selection: BTreeMap::new(),
            numbers: BTreeMap::new(),
            rules_left: RULES_MAX,
        }
    }

    pub(crate) fn into_robots(self) -> RobotsTxt {
        self.index.into_robots()
    }

    pub(crate) fn groups_for<'c>(&self, crawler: &'c Crawler) -> Option<GroupMatch<'_, 'c>> {
        self.index.groups_for(crawler)
    }

    /// The policy of a crawler; `None` once those before it have too many rules together.
    pub(crate) fn policy(&mut self, crawler: &Crawler) -> Option<FilePolicy> {
        let selection = self.index.selection(crawler);
        if let Some(policy) = self.by_selection.get(&selection) {
            return Some(policy.clone());
        }
        let found = self.index.groups_for(crawler);
        let groups = found.iter().flat_map(GroupMatch::groups);
        let rules: usize = groups.map(|group| group.records().count()).sum();
        self.rules_left = self.rules_left.checked_sub(rules)?;
        let policy = self.index.policy(crawler);
        let rules = policy.rules();
        let rules = rules.map(|rule| (rule.effect == Effect::Allow, rule.pattern.to_vec()));
        let next = self.numbers.len();
        let number = *self.numbers.entry(rules.collect()).or_insert(next);
        let policy = FilePolicy {
            policy: Rc::new(policy),
            number,
        };
        self.by_selection.insert(selection, policy.clone());
        Some(policy)
    }

    /// The budget of each of so many questions, so that many cost no more than sixteen of them may.
    pub(crate) fn share(budget: Budget, questions: usize) -> Budget {
        let questions = u64::try_from(questions).unwrap_or(u64::MAX).max(1);
        let share = budget.states().saturating_mul(16) / questions;
        Budget::of_states(budget.states().min(share.max(10_000)))
    }
}
