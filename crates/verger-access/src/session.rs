//! The access method for many authorities and callers, without I/O, clocks, threads or wakers.
//!
//! A [`Session`] decides who waits for what, as a [fetch](crate::begin) decides about one robots.txt. A *question*
//! ([`Session::ask`]) gets a [`Ticket`]. All questions about one authority share a *flight*, which reads the store,
//! waits for a permit, acquires the lease, makes an attempt and keeps its result. The driver carries out one [`Step`]
//! of a flight at a time and reports an [`Event`]. Knowledge, leases and connections stay with the driver. When a
//! flight lands ([`Session::land`]), its tickets get the driver's result.
//!
//! ```text
//! Read ─→ Wait (permit) ─→ Acquire ─→ Attempt: requests, hops ─→ Keep ─→ land
//!            ↑  ↑            │ AwaitLease          Again │
//!            │  └────────────┘                           │
//!            └───────────────────────────────────────────┘
//! ```
//!
//! It guarantees, and `tests/access/session.rs` checks:
//!
//! - An authority has at most one flight. A question with [`Wanted::Now`] gets an attempt that begins later.
//! - A question that is dropped ([`Session::leave`]) changes nothing for others. Its flight runs to the end.
//! - Every wait ends. Flights never wait for each other in a cycle, because a question about a hop that would close
//!   one is not asked. A flight that waits for another one, for a host or for another process lends its permit.
//! - At most [`FetchLimits::fetches_max`] flights have a permit, and at most [`FetchLimits::requests_per_host_max`]
//!   requests to one host. All of them are given back.
//! - Only the holder of a lease puts.
//!
//! Times are durations since a moment that the driver chooses, of a clock that never goes back.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

mod fetch_limits;
mod flight;
mod permits;
mod step;
mod wanted;

use crate::authority::Authority;
pub use fetch_limits::FetchLimits;
use flight::{Asked, Flight, Hops, Stage};
use permits::{HostPermits, Permit, Permits};
pub use step::{Effect, Event, FlightFailure, FlightId, Keeping, Step, Ticket};
pub use wanted::Wanted;

/// Duration of a lease, which the driver renews during an attempt. If a process is killed, others wait at most this
/// long.
pub const LEASE: Duration = Duration::from_secs(15);

/// Maximum wait for another process while another flight waits for this one, because the processes may be waiting for
/// each other.
const HOP_LEASE_WAIT_MAX: Duration = Duration::from_secs(10);

/// The flights of a client, and the questions that wait for them.
#[derive(Clone, Debug)]
pub struct Session {
    limits: FetchLimits,
    permits: Permits,
    hosts: HostPermits,
    sites: BTreeMap<Authority, FlightId>,
    flights: BTreeMap<FlightId, Flight>,
    asked: BTreeMap<Ticket, Asked>,
    effects: VecDeque<Effect>,
    last_number: u64,
    is_closed: bool,
}

impl Session {
    /// Creates a session without flights.
    #[must_use]
    pub fn new(limits: FetchLimits) -> Self {
        Self {
            permits: Permits::new(limits.fetches_max),
            hosts: HostPermits::new(limits.requests_per_host_max),
            limits,
            sites: BTreeMap::new(),
            flights: BTreeMap::new(),
            asked: BTreeMap::new(),
            effects: VecDeque::new(),
            last_number: 0,
            is_closed: false,
        }
    }

    /// Asks for knowledge about an authority. Without a deadline, the time starts with the fetch permit. The driver
    /// ends its own wait at the deadline. Returns `None` if the session is closed.
    pub fn ask(
        &mut self,
        authority: &Authority,
        wanted: Wanted,
        deadline: Option<Duration>,
    ) -> Option<Ticket> {
        self.add(&Asked {
            authority: authority.clone(),
            wanted,
            deadline,
            hops: Hops::Checked,
        })
    }

    /// Asks for a flight whether a redirect may be followed to an authority. This ends its request and lends its
    /// permit. Report [`Event::Resumes`] after the answer, or at the deadline of the flight.
    ///
    /// Returns `None` if the redirect is followed unchecked, because the flight answers such a question itself or the
    /// two would wait for each other.
    pub fn ask_about_hop(&mut self, id: FlightId, target: &Authority) -> Option<Ticket> {
        let flight = self.flights.get_mut(&id)?;
        flight.is_unchecked |= flight.asked.hops == Hops::Followed;
        let deadline = flight.deadline;
        if flight.is_unchecked || self.waits_for(target, id) {
            return None;
        }
        let ticket = self.add(&Asked {
            authority: target.clone(),
            wanted: Wanted::Fresh,
            deadline,
            hops: Hops::Followed,
        })?;
        let mut flight = self.flights.remove(&id)?;
        flight.hop = Some(ticket);
        self.end_request(id, &mut flight);
        self.lend(id, &mut flight);
        self.flights.insert(id, flight);
        Some(ticket)
    }

    /// Drops a question. The flight continues, because others may ask soon.
    pub fn leave(&mut self, ticket: Ticket) {
        let asked = self.asked.remove(&ticket);
        if let Some(flight) = asked.and_then(|asked| self.flight_of(&asked.authority)) {
            flight.tickets.remove(&ticket);
            flight.later.remove(&ticket);
        }
    }

    /// Reports an event of a flight, and returns its next step.
    pub fn step(&mut self, id: FlightId, event: Event, now: Duration) -> Step {
        let Some(mut flight) = self.flights.remove(&id) else {
            // It has landed.
            return Step::Fail(FlightFailure::OutOfTime);
        };
        let step = match event {
            Event::Lends => {
                self.lend(id, &mut flight);
                Step::Proceed
            }
            event => {
                flight.stage = self.stage_after(id, &mut flight, event, now);
                self.step_of(id, &mut flight, now)
            }
        };
        self.flights.insert(id, flight);
        step
    }

    /// Ends a flight, and returns the tickets that get its result.
    pub fn land(&mut self, id: FlightId) -> Vec<Ticket> {
        let Some(mut flight) = self.flights.remove(&id) else {
            return Vec::new();
        };
        self.sites.remove(&flight.asked.authority);
        self.end_request(id, &mut flight);
        self.lend(id, &mut flight);
        if let Some(hop) = flight.hop {
            self.leave(hop);
        }
        let (mut answered, mut later) = (flight.tickets, flight.later);
        let is_out_of_time = flight.stage == Stage::Failed(FlightFailure::OutOfTime);
        if self.is_closed {
            answered.append(&mut later);
        } else if let Some(end) = flight.asked.deadline.filter(|_| is_out_of_time) {
            let has_time = |asked: &Asked| asked.deadline.is_none_or(|own| own > end);
            let again = |it: &Asked| it.hops == Hops::Checked && has_time(it);
            let again = |ticket: &Ticket| self.asked.get(ticket).is_some_and(again);
            later.extend(answered.iter().copied().filter(again));
            answered.retain(|ticket| !later.contains(ticket));
        }
        for ticket in &answered {
            self.asked.remove(ticket);
        }
        self.begin(later);
        answered.into_iter().collect()
    }

    /// Refuses all later questions. The driver then ends the flights and lands them.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// Returns the next effect of the calls so far.
    pub fn poll(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }

    fn flight_of(&mut self, authority: &Authority) -> Option<&mut Flight> {
        let flight = self.sites.get(authority)?;
        self.flights.get_mut(flight)
    }

    fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Adds a question to a flight of its authority, or begins one.
    fn add(&mut self, asked: &Asked) -> Option<Ticket> {
        if self.is_closed {
            return None;
        }
        let ticket = Ticket(self.number());
        self.asked.insert(ticket, asked.clone());
        match self.flight_of(&asked.authority) {
            None => self.begin(BTreeSet::from([ticket])),
            // Its hops may be unchecked, which suffices for an answer about a hop.
            Some(flight) if asked.hops == Hops::Followed => _ = flight.tickets.insert(ticket),
            Some(flight) if flight.asked.hops == Hops::Followed || asked.wanted == Wanted::Now => {
                flight.later.insert(ticket);
            }
            Some(flight) => _ = flight.tickets.insert(ticket),
        }
        Some(ticket)
    }

    /// Begins a flight for the first of these questions, which answers all others that it is recent enough for.
    fn begin(&mut self, waiting: BTreeSet<Ticket>) {
        let Some(&ticket) = waiting.first() else {
            return;
        };
        let Some(asked) = self.asked.get(&ticket).cloned() else {
            return;
        };
        let (authority, wanted) = (asked.authority.clone(), asked.wanted);
        let joins = |it: &Asked| it.wanted.is_met_by(wanted);
        let joins = |ticket: &Ticket| self.asked.get(ticket).is_some_and(joins);
        let (tickets, later) = waiting.into_iter().partition(joins);
        let flight = FlightId(self.number());
        self.sites.insert(authority.clone(), flight);
        (self.flights).insert(flight, Flight::new(asked, tickets, later));
        self.effects.push_back(Effect::Begin {
            flight,
            authority,
            wanted,
            ticket,
        });
    }

    /// Returns whether a flight waits for `last`, directly or not. Each waits for at most one.
    fn waits_for(&self, first: &Authority, last: FlightId) -> bool {
        let mut at = self.sites.get(first);
        while let Some(id) = at.filter(|id| **id != last) {
            let hop = self.flights.get(id).and_then(|flight| flight.hop);
            let asked = hop.and_then(|hop| self.asked.get(&hop));
            at = asked.and_then(|asked| self.sites.get(&asked.authority));
        }
        at.is_some()
    }

    fn stage_after(
        &mut self,
        id: FlightId,
        flight: &mut Flight,
        event: Event,
        now: Duration,
    ) -> Stage {
        match event {
            Event::Woken => match flight.stage {
                Stage::AwaitingLease(_) if flight.lease_until.is_none_or(|until| until <= now) => {
                    Stage::Failed(FlightFailure::HeldElsewhere)
                }
                Stage::AwaitingLease(_) => Stage::Queued,
                stage => stage,
            },
            Event::StoreFailed => {
                flight.has_store = false;
                Stage::Queued
            }
            Event::LeaseGranted => {
                flight.has_lease = true;
                Stage::Attempting
            }
            Event::LeaseHeldElsewhere => {
                self.lend(id, flight);
                let longest = self.limits.lease_wait_max;
                let longest = match flight.asked.hops {
                    Hops::Checked => longest,
                    Hops::Followed => longest.min(HOP_LEASE_WAIT_MAX),
                };
                flight.await_lease(now, longest)
            }
            Event::Requests(host) => {
                self.end_request(id, flight);
                let enter = |host| (self.hosts.take(&host, id), host);
                flight.host = host.map(enter).map(|(permit, host)| (host, permit));
                if !flight.has_entered() {
                    self.lend(id, flight);
                }
                Stage::Requesting
            }
            Event::Lends | Event::Resumes => Stage::Resuming,
            Event::Ended(_) | Event::NotSent => {
                let keeping = match event {
                    Event::Ended(outcome) => flight.keeping(outcome, now, self.limits.deadline),
                    _ => Keeping::Discard,
                };
                flight.has_lease = false;
                self.end_request(id, flight);
                self.lend(id, flight);
                Stage::Ended(keeping)
            }
            Event::Again if flight.is_late(now) => Stage::Failed(FlightFailure::OutOfTime),
            Event::Due | Event::Again => Stage::Queued,
        }
    }

    /// Returns the step at a stage. A flight that waits calls this again.
    fn step_of(&mut self, id: FlightId, flight: &mut Flight, now: Duration) -> Step {
        let is_ready = match flight.stage {
            Stage::Queued => self.has_permits(id, flight, flight.asked.hops == Hops::Followed),
            Stage::Requesting | Stage::Resuming => self.has_permits(id, flight, true),
            _ => true,
        };
        if !is_ready && !flight.is_late(now) {
            return Step::Wait(flight.deadline);
        }
        if !is_ready {
            self.lend(id, flight);
        }
        let most = now.saturating_add(self.limits.deadline);
        match flight.stage {
            Stage::Reading => Step::Read(flight.deadline),
            Stage::Queued if is_ready => {
                flight.stage = if flight.has_store {
                    Stage::Acquiring
                } else {
                    Stage::Attempting
                };
                self.step_of(id, flight, now)
            }
            Stage::Queued => {
                flight.stage = Stage::Failed(FlightFailure::OutOfTime);
                Step::Fail(FlightFailure::OutOfTime)
            }
            Stage::Acquiring => Step::Acquire(*flight.deadline.get_or_insert(most)),
            Stage::AwaitingLease(again) => Step::AwaitLease {
                again,
                until: flight.lease_until.unwrap_or(again),
            },
            Stage::Attempting => {
                (flight.begun, flight.is_unchecked) = (now, false);
                Step::Attempt(*flight.deadline.get_or_insert(most))
            }
            Stage::Requesting if !is_ready => {
                self.end_request(id, flight);
                Step::Refrain
            }
            Stage::Requesting | Stage::Resuming => Step::Proceed,
            Stage::Ended(keeping) => Step::Keep(keeping),
            Stage::Failed(failure) => Step::Fail(failure),
        }
    }

    /// Returns whether the flight has its permits. It waits for one of its host first, without its fetch permit.
    fn has_permits(&mut self, id: FlightId, flight: &mut Flight, goes_ahead: bool) -> bool {
        if flight.has_entered() && flight.permit == Permit::None {
            flight.permit = self.permits.take(id, goes_ahead);
        }
        flight.permit == Permit::Held
    }

    /// Gives the permit of a flight to another one, or leaves the queue.
    fn lend(&mut self, id: FlightId, flight: &mut Flight) {
        let permit = core::mem::take(&mut flight.permit);
        let Some(next) = self.permits.give_back(id, permit) else {
            return;
        };
        if let Some(other) = self.flights.get_mut(&next) {
            other.permit = Permit::Held;
            self.effects.push_back(Effect::Wake(next));
        }
    }

    /// Gives the permit for the current request to the next flight, which then needs its fetch permit back.
    fn end_request(&mut self, id: FlightId, flight: &mut Flight) {
        let host = flight.host.take();
        let next = host.and_then(|(host, permit)| self.hosts.give_back(&host, id, permit));
        let Some((next, other)) = next.and_then(|id| Some((id, self.flights.get_mut(&id)?))) else {
            return;
        };
        if let Some((_, permit)) = &mut other.host {
            *permit = Permit::Held;
        }
        // It lent its permit when it began to wait.
        other.permit = self.permits.take(next, true);
        if other.permit == Permit::Held {
            self.effects.push_back(Effect::Wake(next));
        }
    }
}
