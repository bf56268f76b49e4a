//! `AccessPolicy` decides about the URLs of an authority for one crawler. `Decision` is the result for one URL.

use core::fmt;

use verger::{Crawler, Effect, Policy, Reason, RuleId, TargetPath, Verdict, allocated_bytes};
use verger_extensions::Pacing;

use crate::answer::Answer;
use crate::missing::Missing;
use crate::requested_url::{RequestedUrlError, requested_target};
use crate::stance::Stance;

/// The pacing of files that request none.
static NO_PACING: Pacing = Pacing::NONE;

/// The policy of an authority for one crawler: the answer, the rules for the crawler if there are any, and the
/// requested pacing. It is valid until [`Answer::holds_until`]. Fetch the file again at [`Answer::ask_again_at`]. The
/// policy does not keep the body.
#[derive(Clone, Debug)]
pub struct AccessPolicy {
    answer: Answer,
    rules: Policy,
    /// `None` if the file requests no pacing, as most files do.
    pacing: Option<Box<Pacing>>,
}

impl AccessPolicy {
    /// Compiles an answer for one crawler. An answer whose body is missing ([`Answer::body`]) defers, with
    /// [`Missing::Body`].
    #[must_use]
    pub fn new(answer: &Answer, crawler: &Crawler) -> Self {
        let body = answer.deciding_body();
        let kept = answer.without_body();
        let kept = match body {
            Some(_) => kept,
            None => kept.deferred(Missing::Body, answer.clause(), answer.holds_until()),
        };
        let (body, reading) = (body.unwrap_or_default(), answer.reading());
        Self {
            answer: kept,
            rules: Policy::read(body, crawler, reading),
            pacing: Some(Pacing::read(body, crawler, reading))
                .filter(|pacing| !pacing.is_none())
                .map(Box::new),
        }
    }

    /// Returns the rules, which are empty unless the stance is to follow rules.
    #[must_use]
    pub fn rules(&self) -> &Policy {
        &self.rules
    }

    /// Returns the pacing that the file requests from the crawler, or [`Pacing::NONE`].
    #[must_use]
    pub fn pacing(&self) -> &Pacing {
        self.pacing.as_deref().unwrap_or(&NO_PACING)
    }

    /// Returns how many bytes it takes on the heap, including allocator overhead.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let of_pacing = |it: &Pacing| allocated_bytes(size_of::<Pacing>()) + it.heap_bytes();
        let pacing = self.pacing.as_deref().map_or(0, of_pacing);
        self.rules.heap_bytes() + self.answer.heap_bytes() + pacing
    }

    /// Returns the policy reduced to one rule, or to none ([`Policy::only`]).
    #[must_use]
    pub fn only(&self, rule: Option<RuleId>) -> Self {
        Self {
            answer: self.answer.clone(),
            rules: self.rules.only(rule),
            pacing: self.pacing.clone(),
        }
    }

    /// Returns the answer that the policy was compiled from, without its body.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Decides about a URL of this authority, or a request target that starts with `/`.
    ///
    /// # Errors
    ///
    /// Returns an error if [`requested_target`] finds no target in `url`.
    pub fn decide_url(&self, url: &str) -> Result<Decision, RequestedUrlError> {
        let target = requested_target(url.as_bytes(), self.answer.reading())?;
        Ok(self.decide(&target))
    }

    /// Decides about a target of this authority. The target must be prepared in the reading of the answer.
    #[must_use]
    pub fn decide(&self, target: &TargetPath<'_>) -> Decision {
        Decision {
            reason: DecisionReason::from_verdict(self.answer.stance(), self.rules.decide(target)),
        }
    }
}

/// The reason for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecisionReason {
    /// The engine's verdict on the rules, or on `/robots.txt` itself.
    Rules(Verdict),
    /// The stance decides, because no rules are in force.
    Stance(Stance),
}

impl DecisionReason {
    /// Selects the reason: the verdict if rules are in force, and the stance if not.
    #[must_use]
    pub fn from_verdict(stance: Stance, verdict: Verdict) -> Self {
        match (stance, verdict.reason()) {
            // "The /robots.txt URI is implicitly allowed", whatever the stance. Otherwise no crawler
            // could ever fetch it again.                                       R9309-2.2.2-8
            (Stance::Rules | Stance::Copy, _) | (_, Reason::RobotsTxtItself) => {
                Self::Rules(verdict)
            }
            (stance, _) => Self::Stance(stance),
        }
    }

    /// Returns whether it allows or disallows.
    #[must_use]
    pub fn effect(self) -> Effect {
        match self {
            Self::Rules(verdict) => verdict.effect(),
            Self::Stance(Stance::Open) => Effect::Allow,
            Self::Stance(Stance::Closed | Stance::Defer | Stance::Rules | Stance::Copy) => {
                Effect::Disallow
            }
        }
    }
}

impl fmt::Display for DecisionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(verdict) => verdict.fmt(f),
            Self::Stance(stance) => {
                let effect = self.effect();
                write!(f, "{effect}ed: the stance is {}", stance.as_str())
            }
        }
    }
}

/// Whether a URL may be fetched, and the reason. It borrows nothing. The [`AccessPolicy`] that returned it has the
/// answer, and the rule of a [`verger::RuleId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    reason: DecisionReason,
}

impl Decision {
    /// Returns whether it allows or disallows.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.reason.effect()
    }

    /// Returns whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effect() == Effect::Allow
    }

    /// Returns the reason.
    #[must_use]
    pub fn reason(&self) -> DecisionReason {
        self.reason
    }

    /// Returns the engine's verdict, if there are rules or the target is `/robots.txt` itself.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        match self.reason {
            DecisionReason::Rules(verdict) => Some(verdict),
            DecisionReason::Stance(_) => None,
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}
