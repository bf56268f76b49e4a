use std::fmt;

use verger::{Effect, LineNumber, PathPattern, Reading, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, Difference, Extent, ExtentClass, PolicySet};

use super::new_rule::NewRule;
use super::written_rules::{lines_of, policy_of, read_for, rules_of};

/// The reason why requested rules would change nothing and were not added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WithoutEffect {
    /// The rule matches no URL that a client can send.
    NoUrl(String),
    /// Another new rule allows all targets of this rule.
    AllowedToo(String),
    /// Another new rule disallows all targets of this rule.
    DisallowedToo(String),
    /// An older rule with the opposite effect decides all targets of this rule.
    OlderRule {
        /// Name of the crawler.
        crawler: String,
        /// Effect of the older rule.
        effect: Effect,
        /// A URL that keeps this effect.
        url: String,
        /// Text of the older rule.
        rule: String,
        /// Line of the older rule.
        line: LineNumber,
    },
}

impl WithoutEffect {
    /// Finds new rules that decide nothing, whatever the file contains.
    pub(super) fn of_rules(rules: &[NewRule], reading: Reading, budget: Budget) -> Vec<Self> {
        let policy = policy_of(&lines_of(rules), reading);
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

    /// Finds the older rule that keeps the new rules of one effect from changing anything. Returns
    /// `None` if they already apply, or if a group has the rule and it decides some targets.
    pub(super) fn of_crawler(
        before: &RobotsTxt,
        crawler: &ResolvedCrawler,
        (rules, effect): (&[NewRule], Effect),
        budget: Budget,
    ) -> Option<Self> {
        let before = read_for(before, crawler);
        let reading = *before.reading();
        let old = before.policy(crawler.crawler());
        // Only targets of a new `Allow` rule matter, not everything that no rule disallows.
        let rest = NewRule {
            effect: Effect::Disallow,
            pattern: "/".to_owned(),
        };
        let rest = Some(&rest).filter(|_| effect == Effect::Allow);
        let new = policy_of(&lines_of(rules.iter().chain(rest)), reading);
        let [old_set, new_set] = [&old, &new].map(PolicySet::new);
        let difference = Difference::between(&old_set, &new_set, budget).ok()?;
        let witness = match effect {
            Effect::Disallow => difference.newly_disallowed().witness()?,
            Effect::Allow => difference.newly_allowed().witness()?,
        };
        let lines = rules_of(&before, crawler);
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

pub(super) fn disallow_everything(rules: &[NewRule], reading: Reading, budget: Budget) -> bool {
    let policy = policy_of(&lines_of(rules), reading);
    let extent = Extent::new(&PolicySet::new(&policy), budget);
    extent.class() == Some(ExtentClass::EverythingDisallowed)
}

impl WithoutEffect {
    /// Returns the reason, and the name of the crawler if it is about one.
    pub(super) fn parts(&self) -> (String, String) {
        let (rule, why) = match self {
            Self::NoUrl(rule) => (rule, "it matches no URL that a client can send"),
            Self::AllowedToo(rule) => (rule, "another new rule allows everything it matches"),
            Self::DisallowedToo(rule) => (rule, "another new rule disallows everything it matches"),
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
                let why = format!("`{rule}` on line {line} keeps {url} {stays}");
                return (format!("the rules have no effect: {why}"), crawler.clone());
            }
        };
        (format!("`{rule}` has no effect: {why}"), String::new())
    }
}

impl fmt::Display for WithoutEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, crawler) = self.parts();
        let colon = if crawler.is_empty() { "" } else { ": " };
        write!(f, "{crawler}{colon}{text}")
    }
}
