//! `WithoutEffect`: what was to be disallowed and stays allowed.

use std::fmt;

use verger::{Effect, LineNumber, PathPattern, Reading, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, Difference, Extent, ExtentClass, PolicySet};

use super::new_rule::NewRule;
use super::written_rules::{policy_of, rules_of};

/// Why rules that were asked for disallow nothing, so that they were not added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WithoutEffect {
    /// This rule matches no URL that is sent.
    NoUrl(String),
    /// Another rule that is to be added allows the targets of this rule.
    AllowedToo(String),
    /// An older rule allows what they disallow.
    OlderRule {
        /// The name of the crawler.
        crawler: String,
        /// A URL that the rules disallow and that stays allowed.
        url: String,
        /// The older rule.
        rule: String,
        /// Its line.
        line: LineNumber,
    },
}

impl WithoutEffect {
    /// The new rules that disallow nothing, whatever the file has.
    pub(super) fn of_rules(rules: &[NewRule], reading: Reading, budget: Budget) -> Vec<Self> {
        let policy = policy_of(rules, reading);
        let set = PolicySet::new(&policy);
        let disallow = rules.iter().filter(|it| it.effect == Effect::Disallow);
        let scopes =
            disallow.filter_map(|it| Some((it, PathPattern::new(&it.pattern, reading).ok()?)));
        let without = scopes.filter_map(|(rule, scope)| {
            let extent = Extent::within(&set, &scope, budget);
            let [nothing_disallowed, nothing_allowed] = [extent.disallowed(), extent.allowed()]
                .map(verger_compare::Found::is_proven_absent);
            match (nothing_disallowed, nothing_allowed) {
                (false, _) => None,
                (true, true) => Some(Self::NoUrl(rule.to_string())),
                (true, false) => Some(Self::AllowedToo(rule.to_string())),
            }
        });
        without.collect()
    }

    /// Where rules change nothing for a crawler: the older rule that allows what they disallow. `None`
    /// where they apply already, or a group has the rule and only a part of its targets is allowed.
    pub(super) fn of_crawler(
        before: &RobotsTxt,
        crawler: &ResolvedCrawler,
        rules: &[NewRule],
        budget: Budget,
    ) -> Option<Self> {
        let reading = *before.reading();
        let (old, new) = (before.policy(crawler.crawler()), policy_of(rules, reading));
        let [old_set, new_set] = [&old, &new].map(PolicySet::new);
        let difference = Difference::between(&old_set, &new_set, budget).ok()?;
        let witness = difference.newly_disallowed().witness()?;
        let lines = rules_of(before, crawler);
        let is_in_effect = |rule: &NewRule| {
            let scope = PathPattern::new(&rule.pattern, reading);
            let extent = scope.map(|scope| Extent::within(&old_set, &scope, budget));
            lines.contains(&rule.to_string().into_bytes())
                && extent.is_ok_and(|extent| extent.disallowed().witness().is_some())
        };
        let mut disallow = rules.iter().filter(|it| it.effect == Effect::Disallow);
        if disallow.all(is_in_effect) {
            return None;
        }
        let verdict = old.decide(witness.target());
        let rule = verdict.rule().and_then(|id| old.rule(id))?;
        Some(Self::OlderRule {
            crawler: crawler.name().to_owned(),
            url: witness.to_string(),
            rule: rule.to_string(),
            line: verdict.line()?,
        })
    }
}

/// Whether the new rules disallow everything.
pub(super) fn disallow_everything(rules: &[NewRule], reading: Reading, budget: Budget) -> bool {
    let policy = policy_of(rules, reading);
    let extent = Extent::of(&PolicySet::new(&policy), budget);
    extent.class() == Some(ExtentClass::EverythingDisallowed)
}

impl fmt::Display for WithoutEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUrl(rule) => {
                write!(f, "`{rule}` has no effect: it matches no URL that is sent")
            }
            Self::AllowedToo(rule) => write!(
                f,
                "`{rule}` has no effect: what it matches is allowed by a rule that is to be added, too"
            ),
            Self::OlderRule {
                crawler,
                url,
                rule,
                line,
            } => write!(
                f,
                "{crawler}: the rules would have no effect: {url} stays allowed by `{rule}` on line {line}"
            ),
        }
    }
}
