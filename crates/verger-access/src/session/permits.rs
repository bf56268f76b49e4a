//! `Permits`: limits how many flights are under way, or request something of one host. `HostPermits`: one of each host.

use std::collections::{BTreeMap, VecDeque};

use super::step::FlightId;
use crate::authority::Authority;

/// Permits and their queue. A flight that another one waits for, or that takes back a permit it has lent, goes ahead of
/// flights that have not begun, so those under way end first.
#[derive(Clone, Debug)]
pub(super) struct Permits {
    free: usize,
    ahead: VecDeque<FlightId>,
    line: VecDeque<FlightId>,
}

/// The permit of a flight, or its place in the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Permit {
    #[default]
    None,
    Queued,
    Held,
}

impl Permits {
    pub(super) fn new(permits: usize) -> Self {
        Self {
            free: permits.max(1),
            ahead: VecDeque::new(),
            line: VecDeque::new(),
        }
    }

    pub(super) fn take(&mut self, flight: FlightId, goes_ahead: bool) -> Permit {
        if self.free > 0 {
            self.free -= 1;
            return Permit::Held;
        }
        let queues = [&mut self.line, &mut self.ahead];
        queues[usize::from(goes_ahead)].push_back(flight);
        Permit::Queued
    }

    /// Takes a permit or a place back. Returns the flight that gets the permit.
    pub(super) fn give_back(&mut self, flight: FlightId, permit: Permit) -> Option<FlightId> {
        if permit == Permit::Queued {
            self.ahead.retain(|it| *it != flight);
            self.line.retain(|it| *it != flight);
        }
        if permit != Permit::Held {
            return None;
        }
        let next = self.ahead.pop_front().or_else(|| self.line.pop_front());
        self.free += usize::from(next.is_none());
        next
    }
}

/// The permits for requests. Only hosts in use take memory.
#[derive(Clone, Debug)]
pub(super) struct HostPermits {
    each: usize,
    hosts: BTreeMap<Authority, Permits>,
}

impl HostPermits {
    pub(super) fn new(each: usize) -> Self {
        Self {
            each: each.max(1),
            hosts: BTreeMap::new(),
        }
    }

    pub(super) fn take(&mut self, host: &Authority, flight: FlightId) -> Permit {
        let new = || Permits::new(self.each);
        let permits = self.hosts.entry(host.clone()).or_insert_with(new);
        permits.take(flight, false)
    }

    /// Takes a permit or a place back. Returns the flight that gets the permit.
    pub(super) fn give_back(
        &mut self,
        host: &Authority,
        flight: FlightId,
        permit: Permit,
    ) -> Option<FlightId> {
        let permits = self.hosts.get_mut(host)?;
        let next = permits.give_back(flight, permit);
        if permits.free == self.each {
            self.hosts.remove(host);
        }
        next
    }
}
