//! `Finding`: what came out of a question.

use verger::{Effect, Reason, Verdict};
use verger_access::{DecisionReason, Stance};

use super::lookup::Lookup;
use crate::outcome::Outcome;
use crate::sighting::Sighting;

/// What came out of a question.
#[derive(Clone, Copy)]
pub(super) enum Finding<'s> {
    /// The rules of a body decide.
    Rules(Verdict),
    /// There are no rules to be asked, and what is known about the authority decides.
    Stance {
        stance: Stance,
        sighting: &'s Sighting,
        /// What the last known body would say, were its time not over.
        last_known: Option<Verdict>,
    },
    /// Nothing is known.
    Unknown,
}

impl<'s> Finding<'s> {
    /// What comes out where the rules say `verdict`, and the authority is as `lookup` found it;
    /// `None` where the body was given.
    pub(super) fn of(lookup: Option<&'s Lookup>, verdict: Verdict) -> Self {
        let Some(lookup) = lookup else {
            return Self::Rules(verdict);
        };
        let Some(sighting) = &lookup.sighting else {
            // "The /robots.txt URI is implicitly allowed", whatever is known.     R9309-2.2.2-8
            return match verdict.reason() {
                Reason::RobotsTxtItself => Self::Rules(verdict),
                Reason::Rule | Reason::NoRuleMatched | Reason::NoGroup => Self::Unknown,
            };
        };
        match DecisionReason::of(sighting.answer.stance(), verdict) {
            DecisionReason::Rules(verdict) => Self::Rules(verdict),
            DecisionReason::Stance(stance) => Self::Stance {
                stance,
                sighting,
                last_known: sighting
                    .body()
                    .is_some_and(|_| stance == Stance::Defer)
                    .then_some(verdict),
            },
        }
    }

    /// Allow or disallow; `None` where nobody knows.
    pub(super) fn effect(&self) -> Option<Effect> {
        match self {
            Self::Rules(verdict) => Some(verdict.effect()),
            Self::Stance { stance, .. } => Some(DecisionReason::Stance(*stance).effect()),
            Self::Unknown => None,
        }
    }

    /// How a run ends that found nothing worse.
    pub(super) fn outcome(&self) -> Outcome {
        match self.effect() {
            Some(Effect::Allow) => Outcome::Success,
            Some(Effect::Disallow) => Outcome::Disallowed,
            None => Outcome::Unknown,
        }
    }
}
