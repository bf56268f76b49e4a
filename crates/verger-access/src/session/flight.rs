//! `Flight`: the state of the work on one authority. `Asked`: a question about it.

use core::time::Duration;
use std::collections::BTreeSet;

use super::permits::Permit;
use super::step::{FlightFailure, Keeping, Ticket};
use super::wanted::Wanted;
use crate::authority::Authority;
use crate::outcome::Outcome;
use crate::transport_failure::TransportFailure;

/// First wait before the store is read again. Each wait is twice the last.
const LOOK_AGAIN_FIRST: Duration = Duration::from_millis(20);

/// Maximum wait before the store is read again.
const LOOK_AGAIN_MAX: Duration = Duration::from_secs(1);

#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) authority: Authority,
    pub(super) wanted: Wanted,
    /// `None` if the time starts with the fetch permit.
    pub(super) deadline: Option<Duration>,
    pub(super) hops: Hops,
}

/// The reaction of a flight if the access machine asks about a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hops {
    /// It asks the authority of the hop.
    Checked,
    /// It follows the redirect unchecked. Flights that answer a question about a hop do this, because a chain of checks
    /// might never end.
    Followed,
}

#[derive(Clone, Debug)]
pub(super) struct Flight {
    /// The question that it began for.
    pub(super) asked: Asked,
    /// The questions that get its result.
    pub(super) tickets: BTreeSet<Ticket>,
    /// Questions that wait for a later flight.
    pub(super) later: BTreeSet<Ticket>,
    pub(super) deadline: Option<Duration>,
    pub(super) stage: Stage,
    pub(super) permit: Permit,
    /// The host of the current request, and the permit for it.
    pub(super) host: Option<(Authority, Permit)>,
    /// Its question about a hop.
    pub(super) hop: Option<Ticket>,
    pub(super) has_store: bool,
    pub(super) has_lease: bool,
    /// When the wait for another process ends.
    pub(super) lease_until: Option<Duration>,
    look_again: Duration,
    /// When the attempt began.
    pub(super) begun: Duration,
    /// Whether a hop was followed unchecked.
    pub(super) is_unchecked: bool,
}

/// The work or the wait of a flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Reading,
    /// Waits for the fetch permit, or has got it.
    Queued,
    Acquiring,
    /// Waits for another process until this time.
    AwaitingLease(Duration),
    Attempting,
    /// Waits for the permits for a request, or has got them.
    Requesting,
    /// Waits for its fetch permit, or has got it back.
    Resuming,
    Ended(Keeping),
    Failed(FlightFailure),
}

impl Flight {
    pub(super) fn new(asked: Asked, tickets: BTreeSet<Ticket>, later: BTreeSet<Ticket>) -> Self {
        Self {
            deadline: asked.deadline,
            asked,
            tickets,
            later,
            stage: Stage::Reading,
            permit: Permit::None,
            host: None,
            hop: None,
            has_store: true,
            has_lease: false,
            lease_until: None,
            look_again: LOOK_AGAIN_FIRST,
            begun: Duration::ZERO,
            is_unchecked: false,
        }
    }

    pub(super) fn is_late(&self, now: Duration) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= now)
    }

    /// Returns whether it has the permit for its request, if it needs one.
    pub(super) fn has_entered(&self) -> bool {
        let host = self.host.as_ref();
        host.is_none_or(|(_, permit)| *permit == Permit::Held)
    }

    /// Waits for another process, for at most `longest` in total.
    pub(super) fn await_lease(&mut self, now: Duration, longest: Duration) -> Stage {
        let end = self.deadline.unwrap_or(Duration::MAX);
        let until = end.min(now.saturating_add(longest));
        let until = *self.lease_until.get_or_insert(until);
        let again = now.saturating_add(self.look_again);
        self.look_again = (self.look_again * 2).min(LOOK_AGAIN_MAX);
        Stage::AwaitingLease(again.min(until))
    }

    /// Returns how to treat the result of an attempt that has ended. `most` is the time that an attempt may take.
    pub(super) fn keeping(&self, outcome: Outcome, now: Duration, most: Duration) -> Keeping {
        let had = self.deadline.unwrap_or(now).saturating_sub(self.begun);
        let is_timeout = outcome == Outcome::Failed(TransportFailure::Timeout);
        if is_timeout && self.is_late(now) && had < most / 2 {
            // It began with little time left, which is not a fact about the site.
            Keeping::Discard
        } else if self.is_unchecked {
            Keeping::Return
        } else if outcome.is_about_the_site() && self.has_lease {
            Keeping::Put
        } else {
            Keeping::Hold
        }
    }
}
