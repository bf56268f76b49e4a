//! `OutagePolicy`: what an unreachable robots.txt means, by how long it has been so. R9309-2.3.1.4-1,
//! R9309-2.3.1.4-2, G-5xx-4, G26-5xx-1 to G26-5xx-3.

use core::time::Duration;

use verger::Clause;

/// What applies in one phase of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutageStance {
    /// The rules of the last good copy decide, however old it is.
    Copy,
    /// The copy decides within its lifetime; otherwise everything is deferred.
    FreshCopyElseDefer,
    /// The copy decides within its lifetime; otherwise everything is disallowed.
    FreshCopyElseClosed,
    /// Everything is allowed.
    Open,
    /// Everything is allowed if the caller says that the rest of the site is up; otherwise
    /// everything is disallowed. G26-5xx-3.
    OpenIfRestOfSiteIsUp,
    /// Everything is disallowed.
    Closed,
    /// Everything is deferred.
    Defer,
}

/// What applies in one phase, with the clause that it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutageRule {
    /// What applies.
    pub stance: OutageStance,
    /// The sentence of a document, or the choice, that says so.
    pub clause: Clause,
}

impl OutageStance {
    /// The stance, resting on `clause`.
    #[must_use]
    pub const fn by(self, clause: Clause) -> OutageRule {
        OutageRule {
            stance: self,
            clause,
        }
    }
}

/// The three phases of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutagePhase {
    /// Less than [`OutagePolicy::early_until`] after the first failure in a row.
    Early,
    /// From then to [`OutagePolicy::late_from`].
    Middle,
    /// From then on.
    Late,
}

/// Whether pages other than robots.txt can be fetched, as the caller has found. Only a profile
/// that asks for it cares (`google`, after 30 days).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RestOfSite {
    /// It is not up, or that is not known.
    #[default]
    NotKnownToBeUp,
    /// It is.
    Up,
}

/// What unreachable means, by the time since the first failure in a row and by whether there is a
/// good copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutagePolicy {
    /// When the early phase ends, counted from the first failure.
    pub early_until: Duration,
    /// When the late phase begins, counted from the first failure.
    pub late_from: Duration,
    /// What holds early, in the middle and late, where there is a good copy.
    pub with_copy: [OutageRule; 3],
    /// The same where there is none.
    pub without_copy: [OutageRule; 3],
}

impl OutagePolicy {
    /// The phase of an outage of that length; each phase begins with its first second.
    #[must_use]
    pub fn phase(&self, outage: Duration) -> OutagePhase {
        if outage < self.early_until {
            OutagePhase::Early
        } else if outage < self.late_from {
            OutagePhase::Middle
        } else {
            OutagePhase::Late
        }
    }

    /// When the phase ends, after the first failure; `None` for the late one.
    #[must_use]
    pub fn end_of(&self, phase: OutagePhase) -> Option<Duration> {
        match phase {
            OutagePhase::Early => Some(self.early_until),
            OutagePhase::Middle => Some(self.late_from),
            OutagePhase::Late => None,
        }
    }

    /// What applies in `phase`, out of [`OutagePolicy::with_copy`] or [`OutagePolicy::without_copy`].
    pub(crate) fn rule(rules: &[OutageRule; 3], phase: OutagePhase) -> OutageRule {
        let [early, middle, late] = *rules;
        match phase {
            OutagePhase::Early => early,
            OutagePhase::Middle => middle,
            OutagePhase::Late => late,
        }
    }
}
