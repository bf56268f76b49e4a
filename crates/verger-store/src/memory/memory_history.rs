//! What a store in memory has of one authority.

use core::mem::size_of;

use verger::allocated_octets;
use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::lease::Lease;
use crate::memory::memory_bodies::MemoryBodies;
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::snapshot_record::SnapshotRecord;
use crate::store_error::StoreError;
use crate::stored_state::StoredState;

/// A snapshot on its way into a store in memory: hashed and written, which takes time.
pub(crate) struct Arriving<'o> {
    observation: &'o Observation,
    record: SnapshotRecord,
}

impl<'o> Arriving<'o> {
    pub(crate) fn new(observation: &'o Observation) -> Self {
        // A record has no id.
        let snapshot = Snapshot::of(SnapshotId::BEFORE_ALL, observation);
        Self {
            observation,
            record: SnapshotRecord::of(&snapshot),
        }
    }

    pub(crate) fn authority(&self) -> &'o Authority {
        &self.observation.authority
    }

    pub(crate) fn ended_at(&self) -> Timestamp {
        self.observation.attempt.last.at
    }
}

/// A snapshot that holds on to its bodies.
pub(crate) struct Seen {
    pub(crate) id: SnapshotId,
    pub(crate) ended_at: Timestamp,
    record: SnapshotRecord,
}

impl Seen {
    /// Keeps an observation; its bodies are taken from, or into, `bodies`.
    pub(crate) fn new(id: SnapshotId, arriving: Arriving<'_>, bodies: &mut MemoryBodies) -> Self {
        let Observation {
            attempt, knowledge, ..
        } = arriving.observation;
        let copies = [&attempt.copy, &knowledge.copy].into_iter().flatten();
        for (hash, copy) in arriving.record.bodies().zip(copies) {
            bodies.take(hash, &copy.body);
        }
        Self {
            id,
            ended_at: attempt.last.at,
            record: arriving.record,
        }
    }

    pub(crate) fn snapshot(&self, authority: &Authority) -> Result<Snapshot, StoreError> {
        let read = self.record.snapshot(self.id, authority);
        read.ok_or_else(|| StoreError::Damaged(format!("a snapshot of {authority} in memory")))
    }

    pub(crate) fn standing(
        &self,
        authority: &Authority,
        bodies: &MemoryBodies,
    ) -> Result<StoredState, StoreError> {
        let snapshot = self.snapshot(authority)?;
        let copy = snapshot.copy.as_ref();
        let octets = copy.and_then(|copy| bodies.octets_of(copy.body.hash));
        Ok(StoredState {
            knowledge: snapshot.knowledge(octets.cloned()),
            snapshot,
        })
    }

    /// The bodies that it holds on to; one that it needs twice comes twice.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyHash> {
        self.record.bodies()
    }

    /// Gives up its bodies.
    pub(crate) fn give_back(&self, bodies: &mut MemoryBodies) {
        for hash in self.bodies() {
            bodies.give_back(hash);
        }
    }

    /// What it takes without its bodies and its place in the list.
    fn record_octets(&self) -> usize {
        allocated_octets(self.record.octets())
    }

    /// What is free without it, apart from its bodies.
    pub(crate) fn cost(&self) -> usize {
        size_of::<Self>() + self.record_octets()
    }
}

/// What there is of one authority.
#[derive(Default)]
pub(crate) struct MemoryHistory {
    lease: Option<Box<Lease>>,
    seen: Vec<Seen>,
    /// What the records of all in `seen` take, so that a long history is not counted again with
    /// each change.
    records_octets: usize,
}

impl MemoryHistory {
    pub(crate) fn seen(&self) -> &[Seen] {
        &self.seen
    }

    pub(crate) fn lease(&self) -> Option<&Lease> {
        self.lease.as_deref()
    }

    /// Has another lease, or none; the one that it had is handed back.
    pub(crate) fn replace_lease(&mut self, lease: Option<Lease>) -> Option<Lease> {
        let lease = lease.map(Box::new);
        core::mem::replace(&mut self.lease, lease).map(|lease| *lease)
    }

    /// Whether nothing is known of the authority and it is not being fetched.
    pub(crate) fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.lease.is_none()
    }

    pub(crate) fn push(&mut self, seen: Seen) {
        if self.seen.len() == self.seen.capacity() {
            // Most have one snapshot, and a long list has little to spare.
            self.seen.reserve_exact((self.seen.len() / 4).max(1));
        }
        self.records_octets += seen.record_octets();
        self.seen.push(seen);
    }

    pub(crate) fn take_newest(&mut self) -> Option<Seen> {
        let seen = self.seen.pop()?;
        self.seen.shrink_to_fit();
        self.records_octets -= seen.record_octets();
        Some(seen)
    }

    pub(crate) fn take_oldest(&mut self, count: usize) -> Vec<Seen> {
        let oldest: Vec<Seen> = self.seen.drain(..count).collect();
        if self.seen.capacity() > 2 * self.seen.len() {
            self.seen.shrink_to_fit();
        }
        self.records_octets -= oldest.iter().map(Seen::record_octets).sum::<usize>();
        oldest
    }

    /// Where the snapshot in force at a time stands.
    pub(crate) fn place_in_force(&self, at: Timestamp) -> Option<usize> {
        self.seen.iter().rposition(|seen| seen.ended_at <= at)
    }

    /// What it takes without bodies and without itself.
    pub(crate) fn heap_octets(&self) -> usize {
        let lease = self.lease.as_ref().map_or(0, |lease| {
            let url = lease.authority.robots_url().as_str();
            allocated_octets(size_of::<Lease>())
                + allocated_octets(lease.holder.len())
                + allocated_octets(url.len())
        });
        let list = allocated_octets(self.seen.capacity() * size_of::<Seen>());
        lease + list + self.records_octets
    }
}
