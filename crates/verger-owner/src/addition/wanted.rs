use std::collections::BTreeMap;

use verger::dialect::SeveralGroups;
use verger::{Effect, GroupIndex, GroupSelection, PathPattern, Policy, ProductToken, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, Difference, Extent, Found, PolicySet};

use super::new_rule::NewRule;
use super::not_added::NotAdded;
use super::written_rules::{lines_of, policy_of, read_for, rules_of};
use crate::who::who_row::names;

/// The rules to add, and their effect on a crawler.
pub(super) struct Wanted<'w> {
    pub(super) rules: &'w [NewRule],
    /// Whether the rules disallow everything.
    pub(super) takes_all: bool,
    pub(super) budget: Budget,
}

impl Wanted<'_> {
    /// Returns the lines of the new groups, each group followed by an empty line.
    pub(super) fn new_lines(
        &self,
        robots: &RobotsTxt,
        crawlers: &[&ResolvedCrawler],
    ) -> Result<Vec<Vec<u8>>, NotAdded> {
        let reading = *robots.reading();
        let index = GroupIndex::new(robots.clone());
        // One new group for crawlers that a group already names, and one for each other selection.
        let mut groups: BTreeMap<Option<GroupSelection>, [Vec<Vec<u8>>; 2]> = BTreeMap::new();
        for crawler in crawlers {
            let own = own_token(robots, crawler);
            let own = own.filter(|_| crawler.unmatchable(reading).is_none());
            let own = own.ok_or_else(|| NotAdded::NoToken(crawler.name().to_owned()))?;
            let found = index.groups_for(crawler.crawler());
            let is_named = found.is_some_and(|groups| names(crawler, &groups));
            let is_copied = if is_named {
                reading.several_named_groups() == SeveralGroups::First
            } else {
                !self.takes_all
            };
            let is_new = is_copied.then(|| index.selection(crawler.crawler()));
            let [names, copied] = groups.entry(is_new.clone()).or_default();
            names.push(format!("User-agent: {own}").into_bytes());
            if is_new.is_some() && copied.is_empty() {
                copied.extend(rules_of(robots, crawler));
            }
        }
        let mut lines = Vec::new();
        for [mut names, copied] in groups.into_values() {
            names.dedup();
            lines.extend(names);
            lines.extend(copied);
            lines.extend(lines_of(self.rules));
            lines.push(Vec::new());
        }
        Ok(lines)
    }

    /// Decides whether `after` gives a crawler, in its own reading, exactly its old rules and the
    /// new ones. Returns `None` if the budget runs out.
    pub(super) fn applies(
        &self,
        before: &RobotsTxt,
        after: &RobotsTxt,
        crawler: &ResolvedCrawler,
    ) -> Option<bool> {
        let [before, after] = [before, after].map(|it| read_for(it, crawler));
        let expected = self.policy_of(&before, crawler, &[Effect::Allow, Effect::Disallow]);
        let policy = after.policy(crawler.crawler());
        let sets = [&policy, &expected].map(PolicySet::new);
        let difference = Difference::between(&sets[0], &sets[1], self.budget);
        difference.ok()?.is_none()
    }

    /// Returns the policy of a crawler with the rules it keeps and the new ones of these effects,
    /// without new rules of the other effect that it already had. If the new rules disallow
    /// everything, a crawler that no group names keeps none.
    fn policy_of(
        &self,
        before: &RobotsTxt,
        crawler: &ResolvedCrawler,
        effects: &[Effect],
    ) -> Policy {
        let found = before.groups_for(crawler.crawler());
        let is_named = found.is_some_and(|groups| names(crawler, &groups));
        let rules = self.rules.iter();
        let (new, others): (Vec<_>, Vec<_>) = rules.partition(|it| effects.contains(&it.effect));
        let others = lines_of(others);
        let mut lines = Vec::new();
        if is_named || !self.takes_all {
            let kept = rules_of(before, crawler).into_iter();
            lines.extend(kept.filter(|line| !others.contains(line)));
        }
        lines.extend(lines_of(new));
        policy_of(&lines, *before.reading())
    }

    /// Returns URLs that a new rule matches but that still have `effect`.
    pub(super) fn still(
        &self,
        effect: Effect,
        before: &RobotsTxt,
        crawlers: &[&ResolvedCrawler],
    ) -> Vec<(String, String)> {
        let wanted = match effect {
            Effect::Allow => Effect::Disallow,
            Effect::Disallow => Effect::Allow,
        };
        let mut still = Vec::new();
        for crawler in crawlers {
            let before = read_for(before, crawler);
            let policy = self.policy_of(&before, crawler, &[wanted]);
            let set = PolicySet::new(&policy);
            let rules = self.rules.iter();
            let scopes = rules.filter(|rule| rule.effect == wanted);
            let scopes =
                scopes.filter_map(|it| PathPattern::new(&it.pattern, *before.reading()).ok());
            for scope in scopes {
                let extent = Extent::within(&set, &scope, self.budget);
                let found = match effect {
                    Effect::Allow => extent.allowed(),
                    Effect::Disallow => extent.disallowed(),
                };
                if let Found::Witness(witness) = found {
                    still.push((crawler.name().to_owned(), witness.to_string()));
                }
            }
        }
        still
    }
}

/// Returns the token by which a group names the crawler, or its own token.
pub(super) fn own_token<'c>(robots: &RobotsTxt, crawler: &'c ResolvedCrawler) -> Option<&'c str> {
    let own = crawler.own_tokens();
    let found = robots.groups_for(crawler.crawler());
    let named_by = found.and_then(|groups| own.get(groups.token_index()?));
    named_by.or(own.last()).map(ProductToken::as_str)
}
