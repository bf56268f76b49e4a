use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use verger::{Dialect, Effect, GroupIndex, GroupMatch, GroupSelection, Policy, RobotsTxt};
use verger_answer::{ReadIndexes, ResolvedCrawler};
use verger_compare::Budget;

/// Policies of one file for many crawlers, each built once in the reading of its crawler.
#[derive(Debug)]
pub(crate) struct FilePolicies {
    files: ReadIndexes<'static>,
    by_selection: BTreeMap<(Dialect, GroupSelection), FilePolicy>,
    numbers: BTreeMap<(Dialect, RuleTexts), usize>,
    rules_left: usize,
}

/// The rules of a policy: whether each is an Allow line, and its pattern.
type RuleTexts = Vec<(bool, Vec<u8>)>;

/// Maximum number of rules of all policies together. Without it, many names that share long groups
/// could fill memory.
const RULES_MAX: usize = 1_000_000;

/// A policy and the number of its list of rules. Equal lists of one dialect have equal
/// numbers.
#[derive(Clone, Debug)]
pub(crate) struct FilePolicy {
    pub(crate) policy: Rc<Policy>,
    pub(crate) number: usize,
}

/// Crawlers whose policies have the same rules, in the old file and in the new one.
pub(crate) struct PolicyPair<'c> {
    pub(crate) crawlers: Vec<&'c ResolvedCrawler>,
    /// Policies of the first crawler.
    pub(crate) policies: [Rc<Policy>; 2],
}

impl<'c> PolicyPair<'c> {
    /// Returns the pairs, ordered by first crawler, and the number of crawlers left out because of
    /// [`RULES_MAX`].
    pub(crate) fn all(
        files: &mut [FilePolicies; 2],
        crawlers: &'c [ResolvedCrawler],
    ) -> (Vec<Self>, usize) {
        let [old, new] = files;
        let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let (mut pairs, mut left_out): (Vec<Self>, usize) = (Vec::new(), 0);
        for crawler in crawlers {
            let before = old.policy(crawler);
            let both = before.and_then(|before| Some((before, new.policy(crawler)?)));
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
            files: ReadIndexes::new(Cow::Owned(GroupIndex::new(robots))),
            by_selection: BTreeMap::new(),
            numbers: BTreeMap::new(),
            rules_left: RULES_MAX,
        }
    }

    /// Returns the body of the file.
    pub(crate) fn body(&mut self) -> Vec<u8> {
        let file = self.files.read(&ResolvedCrawler::unnamed());
        file.robots().body().to_vec()
    }

    pub(crate) fn into_files(self) -> ReadIndexes<'static> {
        self.files
    }

    pub(crate) fn groups_for<'c>(
        &mut self,
        crawler: &'c ResolvedCrawler,
    ) -> Option<GroupMatch<'_, 'c>> {
        self.files.read(crawler).groups_for(crawler.crawler())
    }

    /// Returns the policy of a crawler, or `None` once [`RULES_MAX`] is exceeded.
    pub(crate) fn policy(&mut self, crawler: &ResolvedCrawler) -> Option<FilePolicy> {
        let (index, crawler) = (self.files.read(crawler), crawler.crawler());
        let dialect = index.robots().dialect();
        let selection = (dialect, index.selection(crawler));
        if let Some(policy) = self.by_selection.get(&selection) {
            return Some(policy.clone());
        }
        let found = index.groups_for(crawler);
        let groups = found.iter().flat_map(GroupMatch::groups);
        let rules: usize = groups.map(|group| group.records().count()).sum();
        self.rules_left = self.rules_left.checked_sub(rules)?;
        let policy = index.policy(crawler);
        let rules = policy.rules();
        let rules = rules.map(|rule| (rule.effect == Effect::Allow, rule.pattern.to_vec()));
        let rules = (dialect, rules.collect());
        let next = self.numbers.len();
        let number = *self.numbers.entry(rules).or_insert(next);
        let policy = FilePolicy {
            policy: Rc::new(policy),
            number,
        };
        self.by_selection.insert(selection, policy.clone());
        Some(policy)
    }

    /// Splits the cost of 16 full budgets among the questions, up to one budget each.
    pub(crate) fn share(budget: Budget, questions: usize) -> Budget {
        let questions = u64::try_from(questions).unwrap_or(u64::MAX).max(1);
        let share = budget.states().saturating_mul(16) / questions;
        Budget::from_states(budget.states().min(share.max(10_000)))
    }
}
