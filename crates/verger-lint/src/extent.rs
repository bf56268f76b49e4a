//! The combined effect of a crawler's rules.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use verger::{
    Crawler, Dialect, Effect, EscapeStart, Group, GroupIndex, GroupSelection, NamedBy, PathPattern,
    Policy, PolicyRule, RuleId, TargetPath,
};
use verger_compare::{Budget, Extent, ExtentClass, PolicySet};
use verger_crawlers::{KnownCrawler, Purpose, Registry};

use crate::agent::{Agent, obeys};

/// Search engine crawlers that are reported even if a group names them.
const WELL_KNOWN: [&str; 3] = ["Googlebot", "bingbot", "DuckDuckBot"];

/// Maximum number of states to visit for the proof that everything is disallowed.
const BUDGET: Budget = Budget::from_states(100_000);

/// Returns the rule that disallows the home page, if every URL is disallowed.
pub(crate) fn disallows_everything(policy: &Policy) -> Option<RuleId> {
    // Most policies allow the home page, and then no proof is needed.
    let home = TargetPath::from_form(b"/", policy.comparison())?;
    let verdict = policy.decide(&home);
    if verdict.is_allowed() {
        return None;
    }
    let extent = Extent::new(&PolicySet::new(policy), BUDGET);
    let is_everything = extent.class() == Some(ExtentClass::EverythingDisallowed);
    verdict.rule().filter(|_| is_everything)
}

/// Returns lists of rules with the same compared pattern and the same specificity, by precedence.
/// `/*` and `/***` match the same URLs, but each `*` counts. The first rule of each list decides
/// wherever the others match, so the others never do.
fn same_patterns(policy: &RankedPolicy) -> Vec<Vec<RuleId>> {
    let ids = policy.rule_ids();
    let forms = ids.filter_map(|id| Some((form_key(&policy.path_pattern(id)?), id)));
    let mut forms: Vec<_> = forms.collect();
    forms.sort_by(|(one, _), (other, _)| one.cmp(other));
    let same = forms.chunk_by(|(one, _), (other, _)| one == other);
    let several = same.filter(|rules| rules.len() > 1);
    let ids = several.map(|rules| rules.iter().map(|(_, id)| *id).collect());
    ids.collect()
}

/// Returns a key that is equal for two patterns if they match the same and are equally specific.
fn form_key(form: &PathPattern) -> impl Ord + use<> {
    let fragments = form.fragments().map(|it| {
        let escape = it.escape.map(EscapeStart::digit);
        (it.in_path.to_vec(), it.in_query.to_vec(), escape)
    });
    let fragments: Vec<_> = fragments.collect();
    let specificity = form.specificity().bytes();
    (
        form.head().to_vec(),
        fragments,
        form.is_anchored(),
        specificity,
    )
}

/// Returns whether Google's library matches two patterns with the same URLs.
pub(crate) fn are_same_by_google(one: &[u8], other: &[u8]) -> bool {
    let key = |it: &[u8]| Some(form_key(&PathPattern::new(it, Dialect::Google).ok()?));
    key(one).is_some_and(|one| key(other) == Some(one))
}

/// A policy that sorts its rules only once.
#[derive(Debug)]
pub(crate) struct RankedPolicy {
    policy: Policy,
    ids: OnceCell<Vec<RuleId>>,
}

impl RankedPolicy {
    fn new(policy: Policy) -> Self {
        let ids = OnceCell::new();
        Self { policy, ids }
    }

    /// Returns the rules in order of precedence.
    pub(crate) fn rules(&self) -> impl Iterator<Item = PolicyRule<'_>> {
        self.rule_ids().filter_map(|id| self.policy.rule(id))
    }

    /// Returns the ids of the rules in the same order.
    pub(crate) fn rule_ids(&self) -> impl Iterator<Item = RuleId> {
        let ids = self.ids.get_or_init(|| self.policy.rule_ids().collect());
        ids.iter().copied()
    }
}

impl Deref for RankedPolicy {
    type Target = Policy;

    fn deref(&self) -> &Policy {
        &self.policy
    }
}

/// The rules for the crawlers of one selection of a file's groups.
#[derive(Debug)]
pub(crate) struct Selected {
    /// The index of the first user-agent line that names such a crawler.
    pub(crate) agent: usize,
    pub(crate) crawler: Crawler,
    pub(crate) policy: RankedPolicy,
    same_patterns: OnceCell<Vec<Vec<RuleId>>>,
}

impl Selected {
    /// Returns lists of rules with the same compared pattern. Only the first of each list decides.
    pub(crate) fn same_patterns(&self) -> &[Vec<RuleId>] {
        let same = || same_patterns(&self.policy);
        self.same_patterns.get_or_init(same)
    }
}

/// The rules for every crawler that a file names, and for `*`.
#[derive(Debug)]
pub(crate) struct Selections {
    /// In file order, those of `*` first.
    pub(crate) all: Vec<Selected>,
    /// How the crawlers read the file.
    pub(crate) dialect: Dialect,
    /// Whether none was left out because of too many rules.
    pub(crate) is_complete: bool,
}

impl Selections {
    pub(crate) fn of(index: &GroupIndex, agents: &[Agent<'_>]) -> Self {
        let mut seen = BTreeSet::new();
        let mut policies = Policies::new(index);
        let numbered = || agents.iter().enumerate();
        let star = numbered().find(|(_, agent)| agent.is_star());
        let named = star.into_iter().chain(numbered());
        let dialect = index.robots().dialect();
        let all = named.filter_map(|(at, agent)| {
            let crawler = agent.crawler(dialect)?;
            let is_new = seen.insert(index.selection(&crawler));
            let policy = is_new.then(|| policies.of(&crawler)).flatten()?;
            Some(Selected {
                agent: at,
                crawler,
                policy,
                same_patterns: OnceCell::new(),
            })
        });
        Self {
            all: all.collect(),
            dialect,
            is_complete: !policies.is_used_up(),
        }
    }
}

/// Crawlers to which the same groups apply, and their rules.
#[derive(Debug)]
pub(crate) struct Readers {
    /// Those in the registry.
    pub(crate) crawlers: Vec<&'static KnownCrawler>,
    /// How they read the file.
    pub(crate) dialect: Dialect,
    pub(crate) policy: RankedPolicy,
    /// The rule that disallows the home page, if every URL is disallowed.
    pub(crate) everything: Option<RuleId>,
}

impl Readers {
    /// Reads a file for crawlers that select the same groups as `crawler`. Returns `None` if no group
    /// applies.
    pub(crate) fn new(
        index: &GroupIndex,
        crawler: &Crawler,
        crawlers: Vec<&'static KnownCrawler>,
    ) -> Option<Self> {
        let policy = index.groups_for(crawler).map(|_| index.policy(crawler))?;
        Some(Self {
            crawlers,
            dialect: index.robots().dialect(),
            everything: disallows_everything(&policy),
            policy: RankedPolicy::new(policy),
        })
    }

    /// Returns the crawlers of search engines that obey robots.txt. `index_in` returns the file as
    /// read in a dialect.
    pub(crate) fn searching<'f>(index_in: impl Fn(Dialect) -> &'f GroupIndex) -> Vec<Self> {
        let mut by_groups: BTreeMap<(Dialect, GroupSelection), Vec<_>> = BTreeMap::new();
        let searching = Registry::bundled().by_purpose(Purpose::Search);
        for known in searching.filter(|it| obeys(it)) {
            let dialect = known.dialect();
            let selection = index_in(dialect).selection(&known.crawler());
            let same = by_groups.entry((dialect, selection)).or_default();
            same.push(known);
        }
        let readers = by_groups
            .into_iter()
            .filter_map(|((dialect, _), crawlers)| {
                let first = crawlers.first()?.crawler();
                Self::new(index_in(dialect), &first, crawlers)
            });
        readers.collect()
    }

    /// Returns the rule that disallows every page but the home page.
    pub(crate) fn all_but_home(&self) -> Option<PolicyRule<'_>> {
        let allows = |rule: &PolicyRule<'_>| rule.effect == Effect::Allow && rule.pattern != b"";
        let allowed: Vec<_> = self.policy.rules().filter(allows).collect();
        let is_home = |rule: &PolicyRule<'_>| rule.pattern == b"/$";
        let are_home = !allowed.is_empty() && allowed.iter().all(is_home);
        let rule = self.disallowing(b"/page").filter(|_| are_home);
        rule.filter(|rule| matches_everything(rule.pattern))
    }

    /// Returns whether the crawlers have no group of their own.
    pub(crate) fn are_unnamed(&self) -> bool {
        let group = self.policy.group();
        group.is_some_and(|it| it.named_by == NamedBy::Star)
    }

    /// Returns the crawlers to report: all if they have no group of their own, otherwise the
    /// well-known ones.
    pub(crate) fn reported(&self) -> Vec<&'static KnownCrawler> {
        let mut crawlers = self.crawlers.clone();
        let is_known = |it: &KnownCrawler| WELL_KNOWN.contains(&it.own_token().as_str());
        crawlers.retain(|it| self.are_unnamed() || is_known(it));
        crawlers
    }

    /// Returns the rule that disallows a path.
    pub(crate) fn disallowing(&self, path: &[u8]) -> Option<PolicyRule<'_>> {
        self.disallowing_target(&target(path, self.dialect)?)
    }

    /// Returns the rule that disallows a URL.
    pub(crate) fn disallowing_url(&self, url: &[u8]) -> Option<PolicyRule<'_>> {
        self.disallowing_target(&TargetPath::as_sent(url, self.dialect).ok()?)
    }

    fn disallowing_target(&self, target: &TargetPath<'_>) -> Option<PolicyRule<'_>> {
        let verdict = self.policy.decide(target);
        let rule = verdict.rule().filter(|_| !verdict.is_allowed())?;
        self.policy.rule(rule)
    }
}

/// Returns whether a pattern is one of the usual ones for every URL.
pub(crate) fn matches_everything(pattern: &[u8]) -> bool {
    matches!(pattern, b"/" | b"/*" | b"*")
}

/// Returns a path as clients send it, for rules read in a dialect.
pub(crate) fn target(path: &[u8], dialect: Dialect) -> Option<TargetPath<'static>> {
    // In a path alone, Google's library reads two slashes as the start of a host.
    let url = [b"https://h.example", path].concat();
    Some(TargetPath::as_sent(&url, dialect).ok()?.into_owned())
}

/// Builds policies of a file up to a total number of rules.
///
/// Groups may overlap, so the policies of all names could have as many rules as the product of
/// names and rules.
#[derive(Debug)]
pub(crate) struct Policies<'f> {
    index: &'f GroupIndex,
    records_left: usize,
}

impl<'f> Policies<'f> {
    /// Number of records that the groups may still have in total.
    pub(crate) const RECORDS_MAX: usize = 200_000;

    pub(crate) fn new(index: &'f GroupIndex) -> Self {
        Self {
            index,
            records_left: Self::RECORDS_MAX,
        }
    }

    /// Returns whether policies were or may have been left out.
    pub(crate) fn is_used_up(&self) -> bool {
        self.records_left == 0
    }

    /// Returns a crawler's policy. `None` if no group applies, or after too many rules.
    pub(crate) fn of(&mut self, crawler: &Crawler) -> Option<RankedPolicy> {
        if self.is_used_up() {
            return None;
        }
        let groups = self.index.groups_for(crawler)?;
        let records = groups.groups().iter().flat_map(Group::records);
        let count = records.take(self.records_left).count();
        self.records_left -= count;
        Some(RankedPolicy::new(self.index.policy(crawler)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::{Dialect, RobotsTxt};

    fn policy(rules: &str) -> Policy {
        let body = format!("User-agent: *\n{rules}\n");
        RobotsTxt::parse(body, Dialect::Rfc9309).policy(&Crawler::unnamed())
    }

    #[test]
    fn everything_is_what_no_rule_allows_a_part_of() {
        for rules in [
            "Disallow: /",
            "Disallow: /*",
            "Disallow: *",
            "Disallow: /*$",
            "Disallow: **",
            "Disallow: /*\nAllow: /",
            "Disallow: /$\nDisallow: /*a\nDisallow: /",
        ] {
            assert!(disallows_everything(&policy(rules)).is_some(), "{rules}");
        }
        for rules in [
            "Disallow:",
            "Disallow: /*?",
            "Disallow: /$",
            "Disallow: /*a",
            "Disallow: /\nAllow: /a",
            "Allow: /",
            "Disallow: x",
        ] {
            assert!(disallows_everything(&policy(rules)).is_none(), "{rules}");
        }
    }

    #[test]
    fn patterns_are_the_same_as_they_are_compared() {
        let policy = policy(
            "Allow: /a\nDisallow: /%61\nDisallow: /a$\nDisallow: /a*\nAllow: /b\nAllow: /*\nDisallow: /***",
        );
        let policy = RankedPolicy::new(policy);
        let same = same_patterns(&policy);
        let lines = same.iter().map(|same| {
            let rules = same.iter().filter_map(|id| policy.rule(*id));
            rules.map(|rule| rule.line.get()).collect::<Vec<_>>()
        });
        // Each star counts, so the longer rule decides.
        assert_eq!(lines.collect::<Vec<_>>(), [vec![2, 3]]);
    }
}
