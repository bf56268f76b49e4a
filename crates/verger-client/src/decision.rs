//! `Decision`: whether a URL may be fetched, and everything that decided.

use std::sync::Arc;

use verger::{AppliedGroup, DecidingRule, Effect, LineNumber, Reason, TargetPath};
use verger_access::{Answer, DecisionReason, Stance, Timestamp};
use verger_store::SnapshotId;

use crate::held_policy::HeldPolicy;
use crate::not_kept::NotKept;

/// Whether a URL may be fetched, and everything that decided. It owns, and shares, what it tells of.
#[derive(Clone, Debug)]
pub struct Decision {
    held: Arc<HeldPolicy>,
    effect: Effect,
    cause: Cause,
}

#[derive(Clone, Copy, Debug)]
enum Cause {
    Rule(LineNumber),
    NoRuleMatched,
    NoGroup,
    RobotsTxtItself,
    Stance(Stance),
}

/// Why a decision came out as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy<'d> {
    /// This rule matches and takes precedence. R9309-2.2.2-4.
    Rule(DecidingRule<'d>),
    /// A group speaks to the crawler, and none of its rules matches: allowed. R9309-2.2.2-7.
    NoRuleMatched,
    /// No group speaks to the crawler: allowed. R9309-2.2.1-11.
    NoGroup,
    /// The target is `/robots.txt` itself: allowed. R9309-2.2.2-8.
    RobotsTxtItself,
    /// There are no rules to be asked, and the stance says it all.
    Stance(Stance),
}

impl Decision {
    pub(crate) fn new(held: Arc<HeldPolicy>, target: &TargetPath<'_>) -> Self {
        let decision = held.policy.decide(target);
        let effect = decision.effect();
        let cause = match decision.reason() {
            DecisionReason::Stance(stance) => Cause::Stance(stance),
            DecisionReason::Rules(verdict) => match verdict.reason() {
                Reason::Rule { rule, .. } => Cause::Rule(rule.line),
                Reason::NoRuleMatched { .. } => Cause::NoRuleMatched,
                Reason::NoGroup => Cause::NoGroup,
                Reason::RobotsTxtItself { .. } => Cause::RobotsTxtItself,
            },
        };
        Self {
            held,
            effect,
            cause,
        }
    }

    /// Allow or disallow.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effect == Effect::Allow
    }

    /// Why.
    #[must_use]
    pub fn decided_by(&self) -> DecidedBy<'_> {
        match self.cause {
            Cause::Rule(line) => {
                let mut rules = self.held.policy.rules().rules();
                let rule = rules.find(|rule| rule.line == line);
                DecidedBy::Rule(DecidingRule {
                    effect: self.effect,
                    line,
                    pattern: rule.map_or(b"", |rule| rule.pattern),
                })
            }
            Cause::NoRuleMatched => DecidedBy::NoRuleMatched,
            Cause::NoGroup => DecidedBy::NoGroup,
            Cause::RobotsTxtItself => DecidedBy::RobotsTxtItself,
            Cause::Stance(stance) => DecidedBy::Stance(stance),
        }
    }

    /// The group that speaks to the crawler, where there are rules and one does.
    #[must_use]
    pub fn group(&self) -> Option<AppliedGroup> {
        match self.answer().stance() {
            Stance::Rules | Stance::Copy => self.held.policy.rules().group(),
            Stance::Open | Stance::Closed | Stance::Defer => None,
        }
    }

    /// Fact, stance, profile, clauses and times.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        self.held.answer()
    }

    /// Until when the decision holds: the first second in which it may be another one.
    #[must_use]
    pub fn fresh_until(&self) -> Timestamp {
        self.answer().holds_until()
    }

    /// What was seen, as the store keeps it; `None` where it is in no store.
    #[must_use]
    pub fn snapshot(&self) -> Option<SnapshotId> {
        self.held.snapshot
    }

    /// Why what was seen is in no store; `None` where it is in one.
    #[must_use]
    pub fn not_kept(&self) -> Option<&NotKept> {
        self.held.not_kept.as_ref()
    }
}
