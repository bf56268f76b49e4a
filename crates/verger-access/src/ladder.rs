//! `Ladder`: what an unreachable robots.txt means as time goes by. R9309-2.3.1.4-1,
//! R9309-2.3.1.4-2, G-5xx-4, G26-5xx-1 to G26-5xx-3.

use core::time::Duration;

use verger::Clause;

/// What holds on one rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RungStance {
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

/// One rung, with the clause that it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rung {
    /// What holds on it.
    pub stance: RungStance,
    /// The sentence of a document, or the choice, that says so.
    pub clause: Clause,
}

impl RungStance {
    /// The stance, resting on `clause`.
    #[must_use]
    pub const fn by(self, clause: Clause) -> Rung {
        Rung {
            stance: self,
            clause,
        }
    }
}

/// The three stretches of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stretch {
    /// Less than [`Ladder::early_until`] after the first failure in a row.
    Early,
    /// From then to [`Ladder::late_from`].
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
pub struct Ladder {
    /// When the early stretch ends, after the first failure.
    pub early_until: Duration,
    /// When the late stretch begins, after the first failure.
    pub late_from: Duration,
    /// What holds early, in the middle and late, where there is a good copy.
    pub with_copy: [Rung; 3],
    /// The same where there is none.
    pub without_copy: [Rung; 3],
}

impl Ladder {
    /// Where an outage of that length stands; each stretch begins with its first second.
    #[must_use]
    pub fn stretch(&self, outage: Duration) -> Stretch {
        if outage < self.early_until {
            Stretch::Early
        } else if outage < self.late_from {
            Stretch::Middle
        } else {
            Stretch::Late
        }
    }

    /// When the stretch ends, after the first failure; `None` for the late one.
    #[must_use]
    pub fn end_of(&self, stretch: Stretch) -> Option<Duration> {
        match stretch {
            Stretch::Early => Some(self.early_until),
            Stretch::Middle => Some(self.late_from),
            Stretch::Late => None,
        }
    }

    /// The rung in `stretch`, out of [`Ladder::with_copy`] or [`Ladder::without_copy`].
    pub(crate) fn rung(rungs: &[Rung; 3], stretch: Stretch) -> Rung {
        let [early, middle, late] = *rungs;
        match stretch {
            Stretch::Early => early,
            Stretch::Middle => middle,
            Stretch::Late => late,
        }
    }
}
