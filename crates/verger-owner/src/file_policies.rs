//! `FilePolicies`: the policies of many crawlers, each made once.

use std::collections::BTreeMap;
use std::rc::Rc;

use verger::{Crawler, Effect, GroupIndex, GroupMatch, GroupSelection, Policy, RobotsTxt};

/// The policies of one file.
pub(crate) struct FilePolicies {
    index: GroupIndex,
    by_selection: BTreeMap<GroupSelection, FilePolicy>,
    /// The numbers of lists of rules.
    numbers: BTreeMap<Vec<(bool, Vec<u8>)>, usize>,
}

/// A policy, and the number of its list of rules: policies with the same rules have one number.
#[derive(Clone)]
pub(crate) struct FilePolicy {
    pub(crate) policy: Rc<Policy>,
    pub(crate) number: usize,
}

impl FilePolicies {
    pub(crate) fn new(robots: RobotsTxt) -> Self {
        Self {
            index: GroupIndex::new(robots),
            by_selection: BTreeMap::new(),
            numbers: BTreeMap::new(),
        }
    }

    pub(crate) fn into_robots(self) -> RobotsTxt {
        self.index.into_robots()
    }

    pub(crate) fn groups_for<'c>(&self, crawler: &'c Crawler) -> Option<GroupMatch<'_, 'c>> {
        self.index.groups_for(crawler)
    }

    pub(crate) fn policy(&mut self, crawler: &Crawler) -> FilePolicy {
        let selection = self.index.selection(crawler);
        if let Some(policy) = self.by_selection.get(&selection) {
            return policy.clone();
        }
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
        policy
    }
}
