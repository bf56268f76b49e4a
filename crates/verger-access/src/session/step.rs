use core::time::Duration;

use super::wanted::Wanted;
use crate::authority::Authority;
use crate::outcome::Outcome;

/// The number of a flight: all work on one authority, for any number of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FlightId(pub u64);

/// The number of a question that waits for a flight to land.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// News from the driver about a flight, usually the result of the last [`Step`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The flight begins, its wait is over, or it was woken.
    Woken,
    /// The store was read, and an attempt is due.
    Due,
    /// The store cannot be used. The flight continues without it.
    StoreFailed,
    /// The lease was granted, and an attempt is still due.
    LeaseGranted,
    /// Another process has the lease.
    LeaseHeldElsewhere,
    /// The next request goes to this host, if its URL has one. It ends the request before.
    Requests(Option<Authority>),
    /// The request waits for another limit of the driver, and others may use the fetch permit.
    Lends,
    /// That wait is over, or the wait for the answer about a hop.
    Resumes,
    /// The attempt has ended.
    Ended(Outcome),
    /// The attempt has ended, because a limit of this program took the time for its last request.
    NotSent,
    /// The result of the attempt does not count, for example because the lease was lost before the put.
    Again,
}

/// The next step for the driver of a flight. Times are those of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a flight continues only when its steps are carried out"]
pub enum Step {
    /// Read the store by this time. Land if the knowledge is recent enough, or else report [`Event::Due`].
    Read(Option<Duration>),
    /// Wait until [`Effect::Wake`] or this time, and report [`Event::Woken`].
    Wait(Option<Duration>),
    /// Acquire the lease by this time, and read the store again. Land if the knowledge is recent enough by now.
    Acquire(Duration),
    /// Wait for another process, and report [`Event::Woken`] at a time, or when its lease ends.
    AwaitLease {
        /// When to look again.
        again: Duration,
        /// When the flight gives up.
        until: Duration,
    },
    /// Make an attempt by this time: drive a fetch ([`begin`](crate::begin)), report its requests, and ask the session
    /// about hops.
    Attempt(Duration),
    /// Send the request, or continue after an answer about a hop.
    Proceed,
    /// Do not send the request, because its host had all its permits in use until the deadline.
    Refrain,
    /// Treat the result of the attempt like this. Then land, or report [`Event::Again`].
    Keep(Keeping),
    /// Land without knowledge.
    Fail(FlightFailure),
}

/// How to treat the result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// It is a fact about the site. Put it under the lease.
    Put,
    /// Keep it in this process, because it is not a fact about the site or the store failed.
    Hold,
    /// Return it and keep nothing, because it answers a question about a hop and its own hops were not checked.
    Return,
    /// Return nothing, because the time was spent waiting for limits of this program.
    Discard,
}

/// Why a flight has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlightFailure {
    /// The time was spent waiting. Questions with more time begin another flight.
    OutOfTime,
    /// Another process had the lease for too long.
    HeldElsewhere,
}

/// A task of the driver besides the steps of a flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Begin a flight: report [`Event::Woken`] for it and carry out its steps.
    Begin {
        /// The flight.
        flight: FlightId,
        /// The authority that it is about.
        authority: Authority,
        /// How recent the knowledge must be.
        wanted: Wanted,
        /// The question that it begins for.
        ticket: Ticket,
    },
    /// End the wait of this flight.
    Wake(FlightId),
}
