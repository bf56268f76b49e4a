//! `OutagePolicy`: the stance towards an unreachable robots.txt, by the length of the outage. R9309-2.3.1.4-1,
//! R9309-2.3.1.4-2, G-5xx-4, G26-5xx-1 to G26-5xx-3.

use core::time::Duration;

use verger::Clause;

/// The stance in one phase of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutageStance {
    /// The rules of the last good copy decide, however old it is.
    Copy,
    /// The copy decides while it is fresh. Afterwards everything is deferred.
    FreshCopyElseDefer,
    /// The copy decides while it is fresh. Afterwards everything is disallowed.
    FreshCopyElseClosed,
    /// Everything is allowed.
    Open,
    /// Everything is allowed if the caller reports that the rest of the site is up, and disallowed if not. G26-5xx-3.
    OpenIfRestOfSiteIsUp,
    /// Everything is disallowed.
    Closed,
    /// Everything is deferred.
    Defer,
}

/// The stance in one phase, with its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct OutageRule {
    /// The stance.
    pub stance: OutageStance,
    /// The clause of a document, or the choice of Verger, that requires it.
    pub clause: Clause,
}

impl OutageStance {
    /// Returns the stance with its clause.
    #[must_use]
    pub const fn by(self, clause: Clause) -> OutageRule {
        OutageRule {
            stance: self,
            clause,
        }
    }
}

/// A phase of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutagePhase {
    /// The last failure was less than [`OutagePolicy::early_until`] after the first one in a row.
    Early,
    /// The middle phase lasts from then to [`OutagePolicy::late_from`].
    Middle,
    /// The late phase follows.
    Late,
}

/// Whether pages other than robots.txt can be fetched, as the caller has found. Only the profile `google` uses it,
/// after 30 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RestOfSite {
    /// The rest of the site is down, or its state is unknown.
    #[default]
    NotKnownToBeUp,
    /// The rest of the site is up.
    Up,
}

/// The stance towards an unreachable robots.txt. It depends on the time from the first failure in a row to the last
/// one, and on whether a good copy exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct OutagePolicy {
    /// When the early phase ends, counted from the first failure.
    pub early_until: Duration,
    /// When the late phase begins, counted from the first failure.
    pub late_from: Duration,
    /// The rules for the early, middle and late phase with a good copy.
    pub with_copy: [OutageRule; 3],
    /// The rules for these phases without a copy.
    pub without_copy: [OutageRule; 3],
}

impl OutagePolicy {
    /// Returns the phase of an outage of that length. Each phase begins with its first second.
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

    /// Selects the rule for `phase` from [`OutagePolicy::with_copy`] or [`OutagePolicy::without_copy`].
    pub(crate) fn rule(rules: &[OutageRule; 3], phase: OutagePhase) -> OutageRule {
        let [early, middle, late] = *rules;
        match phase {
            OutagePhase::Early => early,
            OutagePhase::Middle => middle,
            OutagePhase::Late => late,
        }
    }
}
