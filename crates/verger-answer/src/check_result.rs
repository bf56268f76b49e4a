use verger::{Effect, Verdict};

use verger::Reason;
use verger_access::{DecisionReason, Stance};

use crate::access::authority_lookup::AuthorityLookup;

/// The source of a decision.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum CheckResult {
    /// The rules of a body.
    Rules(Verdict),
    /// The state of the authority. No rules are in force.
    Stance {
        /// The stance.
        stance: Stance,
        /// The verdict of the last known body if it had not expired.
        last_known: Option<Verdict>,
    },
    /// The authority is unknown.
    Unknown,
}

impl CheckResult {
    /// Combines the verdict of the rules with the state of the authority.
    pub(crate) fn from_authority(lookup: &AuthorityLookup, verdict: Verdict) -> Self {
        let Some(state) = &lookup.state else {
            // "The /robots.txt URI is implicitly allowed", whatever is known.     R9309-2.2.2-8
            return match verdict.reason() {
                Reason::RobotsTxtItself => Self::Rules(verdict),
                _ => Self::Unknown,
            };
        };
        match DecisionReason::from_verdict(state.answer.stance(), verdict) {
            DecisionReason::Rules(verdict) => Self::Rules(verdict),
            DecisionReason::Stance(stance) => Self::Stance {
                stance,
                last_known: state
                    .body()
                    .is_some_and(|_| stance == Stance::Defer)
                    .then_some(verdict),
            },
        }
    }
}

impl CheckResult {
    /// Returns the effect, or `None` if the authority is unknown.
    #[must_use]
    pub fn effect(&self) -> Option<Effect> {
        match self {
            Self::Rules(verdict) => Some(verdict.effect()),
            Self::Stance { stance, .. } => Some(DecisionReason::Stance(*stance).effect()),
            Self::Unknown => None,
        }
    }
}
