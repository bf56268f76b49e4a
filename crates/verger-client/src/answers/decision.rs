//! `Decision`: whether a URL may be fetched, and everything that decided.

use std::sync::Arc;

use core::fmt;

use verger::{AppliedGroup, Effect, PolicyRule, TargetPath};
use verger_access::{Answer, DecisionReason, Stance, Timestamp};
use verger_store::SnapshotId;

use crate::answers::held_policy::HeldPolicy;
use crate::fetch::not_kept::NotKept;

/// Whether a URL may be fetched, and everything that decided. It owns, and shares, what it refers to.
#[derive(Clone, Debug)]
pub struct Decision {
    held: Arc<HeldPolicy>,
    decision: verger_access::Decision,
}

impl Decision {
    pub(crate) fn new(held: Arc<HeldPolicy>, target: &TargetPath<'_>) -> Self {
        let decision = held.policy.decide(target);
        Self { held, decision }
    }

    /// Allow or disallow.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.decision.effect()
    }

    /// Whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.decision.is_allowed()
    }

    /// Why: the engine's verdict, or the stance where there are no rules to be asked.
    #[must_use]
    pub fn reason(&self) -> DecisionReason {
        self.decision.reason()
    }

    /// The rule that decided, if one did.
    #[must_use]
    pub fn rule(&self) -> Option<PolicyRule<'_>> {
        let id = self.decision.verdict()?.rule()?;
        self.held.policy.rules().rule(id)
    }

    /// The group that applies to the crawler, where there are rules and one does.
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

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.decision.fmt(f)
    }
}
