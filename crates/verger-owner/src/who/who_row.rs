use std::collections::{BTreeMap, BTreeSet};

use verger::{Dialect, Effect, GroupMatch, LineNumber, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_answer::text::{legible, start_of};
use verger_compare::{Budget, Extent, PolicySet};

use crate::crawler_list::shown_name;
use crate::file_policies::{FilePolicies, FilePolicy};

/// How much of a site one crawler may fetch.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WhoRow<'c> {
    /// The crawler.
    pub crawler: &'c ResolvedCrawler,
    /// The name to show: as its operator spells it or, outside the registry, as the file writes it.
    /// Without control characters.
    pub name: String,
    /// The dialect in which it is judged.
    pub dialect: Dialect,
    /// The group that applies, or `None` if no group does and everything is allowed.
    pub group: Option<GroupOfCrawler>,
    /// Whether everything, some or nothing is disallowed, with the shortest allowed and disallowed
    /// target.
    pub extent: Extent,
    /// Line of the rule that disallows the shortest disallowed target.
    pub disallowed_by: Option<LineNumber>,
    /// Line of the rule that allows the shortest allowed target, if a rule does.
    pub allowed_by: Option<LineNumber>,
    /// Number of its `Disallow` rules.
    pub disallow_rules: usize,
}

/// The group that applies to a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupOfCrawler {
    /// Its first user-agent line, or that of the first group if several are merged.
    pub first_line: LineNumber,
    /// The user-agent line that matches.
    pub line: LineNumber,
    /// The crawler's token on that line, or `None` for `*`.
    pub token: Option<String>,
    /// Whether the token is the crawler's own and not one it falls back to.
    pub is_own: bool,
}

/// Returns how much of a site each of `crawlers` may fetch, in their order, each in its own reading
/// ([`ResolvedCrawler::reading`]). Each policy has its own
/// budget.
#[must_use]
pub fn who(robots: RobotsTxt, crawlers: &[ResolvedCrawler], budget: Budget) -> Vec<WhoRow<'_>> {
    let reading = *robots.reading();
    let mut policies = FilePolicies::new(robots);
    let of_crawlers = crawlers.iter().map(|crawler| policies.policy(crawler));
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
        let rules = policy.iter().flat_map(|it| it.policy.rules());
        let disallow_rules = rules.filter(|it| it.effect == Effect::Disallow).count();
        let group = policies.groups_for(crawler);
        let written = group.as_ref().map(|it| it.user_agent().value());
        let written = written.and_then(|it| str::from_utf8(it).ok());
        // `User-agent: Foo Bar` names `Foo`.
        let is_it = |it: &&str| it.starts_with(crawler.name()) && !it.contains(',');
        let written = written.filter(|it| crawler.known().is_none() && is_it(it));
        WhoRow {
            crawler,
            name: legible(start_of(written.unwrap_or(shown_name(crawler))).as_bytes()),
            dialect: crawler.reading(reading).dialect(),
            group: group.map(|group| GroupOfCrawler {
                first_line: group.applied().line,
                line: group.line(),
                token: group.token().map(|token| token.as_str().to_owned()),
                is_own: names(crawler, &group),
            }),
            extent,
            disallowed_by,
            allowed_by,
            disallow_rules,
        }
    });
    rows.collect()
}

/// Returns whether the groups apply by the crawler's own token, not by one it falls back to.
pub(crate) fn names(crawler: &ResolvedCrawler, groups: &GroupMatch<'_, '_>) -> bool {
    let own = crawler.own_tokens().len();
    groups.token_index().is_some_and(|token| token < own)
}
