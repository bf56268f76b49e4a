use std::sync::Arc;
use std::time::Duration;

use core::fmt;

use verger::{AppliedGroup, Effect, PolicyRule, TargetPath};
use verger_access::{AccessResult, Answer, DecisionReason, Stance, Timestamp};
use verger_extensions::{Pacing, TimeOfDay};
use verger_store::SnapshotId;

use crate::answers::held_policy::HeldPolicy;
use crate::clock::{Clock as _, SystemClock};
use crate::fetch::not_kept::NotKept;

/// Whether a URL may be fetched, and why. It borrows nothing. Decisions about one authority share
/// their answer.
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

    /// Returns whether the decision allows or disallows.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.decision.effect()
    }

    /// Returns `true` if the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.decision.is_allowed()
    }

    /// Returns the reason: the engine's verdict, or the stance if there are no rules.
    #[must_use]
    pub fn reason(&self) -> DecisionReason {
        self.decision.reason()
    }

    /// Returns the rule that decided, if one did.
    #[must_use]
    pub fn rule(&self) -> Option<PolicyRule<'_>> {
        let id = self.decision.verdict()?.rule()?;
        self.held.policy.rules().rule(id)
    }

    /// Returns the group that applies to the crawler, if any.
    #[must_use]
    pub fn group(&self) -> Option<AppliedGroup> {
        match self.answer().stance() {
            Stance::Rules | Stance::Copy => self.held.policy.rules().group(),
            Stance::Open | Stance::Closed | Stance::Defer => None,
        }
    }

    /// Returns the crawl delay, request rates and visit times that the authority asks of the
    /// crawler.
    #[must_use]
    pub fn pacing(&self) -> &Pacing {
        self.held.policy.pacing()
    }

    /// Returns the delay between two requests that [`Decision::pacing`] asks for now, or zero. The
    /// client does not wait. Time comes from [`SystemClock`].
    #[must_use]
    pub fn delay(&self) -> Duration {
        let time = TimeOfDay::from_unix_seconds(SystemClock.now().unix_seconds());
        Duration::from_millis(self.pacing().wait_milliseconds(time))
    }

    /// Returns the answer behind the decision: access result, stance, profile, clauses and times.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        self.held.answer()
    }

    /// Returns the first second in which the decision may change or the client fetches again.
    #[must_use]
    pub fn fresh_until(&self) -> Timestamp {
        let answer = self.answer();
        answer.holds_until().min(answer.ask_again_at())
    }

    /// Returns the stored snapshot. `None` if the attempt is not stored.
    #[must_use]
    pub fn snapshot(&self) -> Option<SnapshotId> {
        self.held.snapshot
    }

    /// Returns why the attempt is not stored. `None` if it is.
    #[must_use]
    pub fn not_kept(&self) -> Option<&NotKept> {
        self.held.not_kept.as_ref()
    }
}

impl fmt::Display for Decision {
    /// Writes the verdict of the rules, as in `disallowed by line 2`. Without rules it writes what
    /// happened to robots.txt, as in `disallowed: unreachable (status 503)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let effect = self.effect();
        match (self.reason(), self.answer().access_result()) {
            (DecisionReason::Stance(Stance::Open), Some(AccessResult::Unavailable(outcome))) => {
                write!(f, "{effect}ed: no robots.txt ({outcome})")?;
            }
            (DecisionReason::Stance(_), Some(result)) => write!(f, "{effect}ed: {result}")?,
            (DecisionReason::Stance(_), None) | (DecisionReason::Rules(_), _) => {
                self.decision.fmt(f)?;
            }
        }
        if self.answer().is_overridden() {
            f.write_str(", by an override")?;
        }
        Ok(())
    }
}
