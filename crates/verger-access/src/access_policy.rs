//! `AccessPolicy`: an answer for one crawler, ready to be asked about URLs; `Decision`: what it
//! says about one.

use core::fmt;

use verger::{Crawler, Effect, Policy, Reason, TargetPath, TargetPathError, Verdict};

use crate::answer::Answer;
use crate::stance::Stance;

/// What a crawler holds for an authority: the answer and, where there are any, its rules. Good
/// until [`Answer::holds_until`]. It owns what it needs and lets go of the body.
#[derive(Clone, Debug)]
pub struct AccessPolicy {
    answer: Answer,
    rules: Policy,
}

impl AccessPolicy {
    /// The answer for one crawler.
    #[must_use]
    pub fn new(answer: &Answer, crawler: &Crawler) -> Self {
        Self {
            answer: answer.without_body(),
            rules: answer.robots_txt().policy(crawler),
        }
    }

    /// The rules, or those of an empty body where the stance has none.
    #[must_use]
    pub fn rules(&self) -> &Policy {
        &self.rules
    }

    /// How many octets of the heap it takes, beside its own size, with what the allocator adds.
    #[must_use]
    pub fn heap_octets(&self) -> usize {
        self.rules.heap_octets() + self.answer.heap_octets()
    }

    /// The same in fewer octets, where it has few rules ([`Policy::compacted`]).
    #[must_use]
    pub fn compacted(self) -> Self {
        Self {
            rules: self.rules.compacted(),
            ..self
        }
    }

    /// The answer that it was made of, without its body.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Decides about a URL, or a request target that starts with `/`, of this authority.
    ///
    /// # Errors
    ///
    /// Where `url` is neither, in a dialect that rejects it.
    pub fn decide_url(&self, url: &str) -> Result<Decision, TargetPathError> {
        Ok(self.decide(&TargetPath::new(url, self.answer.reading())?))
    }

    /// Decides about a target of this authority, prepared in the reading of the answer.
    #[must_use]
    pub fn decide(&self, target: &TargetPath<'_>) -> Decision {
        Decision {
            reason: DecisionReason::of(self.answer.stance(), self.rules.decide(target)),
        }
    }
}

/// Why a decision came out as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecisionReason {
    /// The engine's verdict on the rules, or on `/robots.txt` itself.
    Rules(Verdict),
    /// There are no rules to be asked, and the stance says it all.
    Stance(Stance),
}

impl DecisionReason {
    /// What decides, of a stance and the verdict on the rules that come with it.
    #[must_use]
    pub fn of(stance: Stance, verdict: Verdict) -> Self {
        match (stance, verdict.reason()) {
            // "The /robots.txt URI is implicitly allowed", whatever else is known; otherwise
            // nobody could ever ask again.                                     R9309-2.2.2-8
            (Stance::Rules | Stance::Copy, _) | (_, Reason::RobotsTxtItself) => {
                Self::Rules(verdict)
            }
            (stance, _) => Self::Stance(stance),
        }
    }

    /// Allow or disallow.
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

/// Whether a URL may be fetched, and what decided. It borrows nothing; the [`AccessPolicy`] that
/// gave it has the rest: the answer, and the rule behind a [`verger::RuleId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    reason: DecisionReason,
}

impl Decision {
    /// Allow or disallow.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.reason.effect()
    }

    /// Whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effect() == Effect::Allow
    }

    /// Why.
    #[must_use]
    pub fn reason(&self) -> DecisionReason {
        self.reason
    }

    /// The engine's verdict, where there are rules or the target is `/robots.txt` itself.
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
