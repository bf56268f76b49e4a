//! `WithoutEffect`: what was to be disallowed and stays allowed, or the other way round.

use std::fmt;

use verger::{Effect, LineNumber, PathPattern, Reading, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, Difference, Extent, ExtentClass, PolicySet};

use super::new_rule::NewRule;
use super::written_rules::{policy_of, rules_of};

/// Why rules that were asked for change nothing, so that they were not added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WithoutEffect {
    /// This rule matches no URL that is sent.
    NoUrl(String),
    /// Another rule that is to be added allows the targets of this rule.
    AllowedToo(String),
    /// Another rule that is to be added disallows the targets of this rule.
    DisallowedToo(String),
    /// An older rule has the opposite effect on what they match.
    OlderRule {
        /// The name of the crawler.
        crawler: String,
        /// The effect of the older rule.
        effect: Effect,
        /// A URL for which it stays.
        url: String,
        /// The older rule.
        rule: String,
        /// Its line.
        line: LineNumber,
    },
}

impl WithoutEffect {
    /// The new rules that decide about nothing, whatever the file has.
    pub(super) fn of_rules(rules: &[NewRule], reading: Reading, budget: Budget) -> Vec<Self> {
        let policy = policy_of(rules, reading);
        let set = PolicySet::new(&policy);
        let scopes = rules
            .iter()
            .filter_map(|it| Some((it, PathPattern::new(&it.pattern, reading).ok()?)));
        let without = scopes.filter_map(|(rule, scope)| {
            let extent = Extent::within(&set, &scope, budget);
            let [nothing_disallowed, nothing_allowed] = [extent.disallowed(), extent.allowed()]
                .map(verger_compare::Found::is_proven_absent);
            match (rule.effect, nothing_disallowed, nothing_allowed) {
                (_, true, true) => Some(Self::NoUrl(rule.to_string())),
                (Effect::Disallow, true, false) => Some(Self::AllowedToo(rule.to_string())),
                (Effect::Allow, false, true) => Some(Self::DisallowedToo(rule.to_string())),
                _ => None,
            }
        });
        without.collect()
    }

    /// Where the rules of an effect change nothing for a crawler: the older rule with the opposite effect. `None`
    /// where they apply already, or a group has the rule and it decides about a part of its targets.
    pub(super) fn of_crawler(
        before: &RobotsTxt,
        crawler: &ResolvedCrawler,
        (rules, effect): (&[NewRule], Effect),
        budget: Budget,
    ) -> Option<Self> {
        let reading = *before.reading();
        let old = before.policy(crawler.crawler());
        // Only what a new rule allows is to be allowed, not all that none disallows.
        let rest = NewRule {
            effect: Effect::Disallow,
            pattern: "/".to_owned(),
        };
        let new = match effect {
            Effect::Disallow => policy_of(rules, reading),
            Effect::Allow => policy_of(&[rules, &[rest]].concat(), reading),
        };
        let [old_set, new_set] = [&old, &new].map(PolicySet::new);
        let difference = Difference::between(&old_set, &new_set, budget).ok()?;
        let witness = match effect {
            Effect::Disallow => difference.newly_disallowed().witness()?,
            Effect::Allow => difference.newly_allowed().witness()?,
        };
        let lines = rules_of(before, crawler);
        let is_in_effect = |rule: &NewRule| {
            let scope = PathPattern::new(&rule.pattern, reading);
            let extent = scope.map(|scope| Extent::within(&old_set, &scope, budget));
            let decided = extent.as_ref().map(|extent| match effect {
                Effect::Disallow => extent.disallowed().witness(),
                Effect::Allow => extent.allowed().witness(),
            });
            lines.contains(&rule.to_string().into_bytes())
                && decided.is_ok_and(|witness| witness.is_some())
        };
        let mut rules = rules.iter().filter(|it| it.effect == effect);
        if rules.all(is_in_effect) {
            return None;
        }
        let verdict = old.decide(witness.target());
        let rule = verdict.rule().and_then(|id| old.rule(id))?;
        Some(Self::OlderRule {
            crawler: crawler.name().to_owned(),
            effect: verdict.effect(),
            url: witness.to_string(),
            rule: rule.to_string(),
            line: verdict.line()?,
        })
    }
}

/// Whether the new rules disallow everything.
pub(super) fn disallow_everything(rules: &[NewRule], reading: Reading, budget: Budget) -> bool {
    let policy = policy_of(rules, reading);
    let extent = Extent::new(&PolicySet::new(&policy), budget);
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
            Self::DisallowedToo(rule) => write!(
                f,
                "`{rule}` has no effect: what it matches is disallowed by a rule that is to be added, too"
            ),
            Self::OlderRule {
                crawler,
                effect,
                url,
                rule,
                line,
            } => {
                let stays = match effect {
                    Effect::Allow => "allowed",
                    Effect::Disallow => "disallowed",
                };
                write!(
                    f,
                    "{crawler}: the rules would have no effect: {url} stays {stays} by `{rule}` on line {line}"
                )
            }
        }
    }
}
