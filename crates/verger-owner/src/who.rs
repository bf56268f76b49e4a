//! `who`: how much of a site each crawler may fetch.

use std::collections::BTreeMap;

use verger::{LineNumber, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, Extent, PolicySet};

use crate::file_policies::FilePolicies;

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
    let mut extents: BTreeMap<usize, Extent> = BTreeMap::new();
    let rows = crawlers.iter().map(|crawler| {
        let file_policy = policies.policy(crawler.crawler());
        let extent = extents
            .entry(file_policy.number)
            .or_insert_with(|| Extent::of(&PolicySet::new(&file_policy.policy), budget));
        let extent = extent.clone();
        let disallowed = extent.disallowed().witness();
        let disallowed_by =
            disallowed.and_then(|witness| file_policy.policy.decide(witness.target()).line());
        let group = policies.groups_for(crawler.crawler());
        WhoRow {
            crawler,
            group: group.map(|group| GroupOfCrawler {
                first_line: group.applied().line,
                line: group.line(),
                token: group.token().map(|token| token.as_str().to_owned()),
                is_own: group.token_index() == Some(0),
            }),
            extent,
            disallowed_by,
        }
    });
    rows.collect()
}
