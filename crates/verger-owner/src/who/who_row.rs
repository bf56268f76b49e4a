//! `who`: how much of a site each crawler may fetch.

use std::collections::{BTreeMap, BTreeSet};

use verger::{GroupMatch, LineNumber, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, Extent, PolicySet};

use crate::file_policies::{FilePolicies, FilePolicy};

/// How much of a site one crawler may fetch.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WhoRow<'c> {
    /// The crawler.
    pub crawler: &'c ResolvedCrawler,
    /// The group that applies to it; `None` where none does, and everything is allowed.
    pub group: Option<GroupOfCrawler>,
    /// Everything, some or nothing, with a shortest target each way.
    pub extent: Extent,
    /// The line of the rule that decides about the shortest disallowed target.
    pub disallowed_by: Option<LineNumber>,
    /// The line of the rule that decides about the shortest allowed target; `None` where no rule does.
    pub allowed_by: Option<LineNumber>,
}

/// The group that applies to a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupOfCrawler {
    /// Its first user-agent line; that of the first one where several groups are merged.
    pub first_line: LineNumber,
    /// The user-agent line by which it applies.
    pub line: LineNumber,
    /// The token of the crawler on that line; `None` for `*`.
    pub token: Option<String>,
    /// Whether it is the crawler's own token; a later one of its tokens is one that it falls back to.
    pub is_own: bool,
}

/// How much of a site each of `crawlers` may fetch, in their order; each policy within the budget.
#[must_use]
pub fn who(robots: RobotsTxt, crawlers: &[ResolvedCrawler], budget: Budget) -> Vec<WhoRow<'_>> {
    let mut policies = FilePolicies::new(robots);
    let of_crawlers = crawlers
        .iter()
        .map(|crawler| policies.policy(crawler.crawler()));
    let of_crawlers: Vec<_> = of_crawlers.collect();
    let numbers: BTreeSet<_> = of_crawlers.iter().flatten().map(|it| it.number).collect();
    let budget = FilePolicies::share(budget, numbers.len());
    let mut extents: BTreeMap<usize, Extent> = BTreeMap::new();
    let rows = crawlers.iter().zip(of_crawlers).map(|(crawler, policy)| {
        let (extent, [disallowed_by, allowed_by]) = match &policy {
            Some(FilePolicy { policy, number }) => {
                let extent = extents.entry(*number);
                let extent = extent.or_insert_with(|| Extent::new(&PolicySet::new(policy), budget));
                let lines = [extent.disallowed(), extent.allowed()].map(|found| {
                    let witness = found.witness();
                    witness.and_then(|it| policy.decide(it.target()).line())
                });
                (extent.clone(), lines)
            }
            None => (Extent::not_decided(), [None, None]),
        };
        let group = policies.groups_for(crawler.crawler());
        WhoRow {
            crawler,
            group: group.map(|group| GroupOfCrawler {
                first_line: group.applied().line,
                line: group.line(),
                token: group.token().map(|token| token.as_str().to_owned()),
                is_own: names(crawler, &group),
            }),
            extent,
            disallowed_by,
            allowed_by,
        }
    });
    rows.collect()
}

/// Whether the groups apply to the crawler by a token of its own, and not by one that it falls back to.
pub(crate) fn names(crawler: &ResolvedCrawler, groups: &GroupMatch<'_, '_>) -> bool {
    let own = crawler.own_tokens().len();
    groups.token_index().is_some_and(|token| token < own)
}
