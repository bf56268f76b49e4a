//! `MemoryHistory`: the snapshots and the lease of one authority, in memory.

use core::mem::{size_of, take};
use std::collections::BTreeMap;

use verger::allocated_bytes;
use verger_access::{Authority, Outcome, Timestamp};

use crate::body_hash::BodyHash;
use crate::delivery::Delivery;
use crate::lease::Lease;
use crate::memory::memory_bodies::MemoryBodies;
use crate::observation::Observation;
use crate::packed_facts::PackedFacts;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::snapshot_record::SnapshotRecord;
use crate::store_error::StoreError;
use crate::stored_state::StoredState;

/// A snapshot to put. Hashing and encoding take time, so they are done before the lock is taken.
pub(crate) struct NewSnapshot<'o> {
    observation: &'o Observation,
    record: SnapshotRecord,
}

impl<'o> NewSnapshot<'o> {
    pub(crate) fn new(observation: &'o Observation) -> Self {
        // A record does not contain the id.
        let snapshot = Snapshot::new(SnapshotId::BEFORE_ALL, observation);
        Self {
            observation,
            record: SnapshotRecord::of(&snapshot),
        }
    }

    pub(crate) fn authority(&self) -> &'o Authority {
        &self.observation.authority
    }

    pub(crate) fn facts(&self) -> &'o PackedFacts {
        &self.observation.facts
    }

    pub(crate) fn ended_at(&self) -> Timestamp {
        self.observation.attempt.last.at
    }
}

/// A stored snapshot. It counts as a reference to its bodies.
pub(crate) struct MemorySnapshot {
    pub(crate) id: SnapshotId,
    pub(crate) ended_at: Timestamp,
    record: SnapshotRecord,
}

impl MemorySnapshot {
    /// Makes a snapshot with this id, and adds references to its bodies.
    pub(crate) fn new(id: SnapshotId, added: NewSnapshot<'_>, bodies: &mut MemoryBodies) -> Self {
        let Observation {
            attempt, knowledge, ..
        } = added.observation;
        let copies = [&attempt.copy, &knowledge.copy].into_iter().flatten();
        for (hash, copy) in added.record.bodies().zip(copies) {
            bodies.retain(hash, &copy.body);
        }
        Self {
            id,
            ended_at: attempt.last.at,
            record: added.record,
        }
    }

    pub(crate) fn snapshot(&self, authority: &Authority) -> Result<Snapshot, StoreError> {
        let read = self.record.snapshot(self.id, authority);
        read.ok_or_else(|| StoreError::Damaged(format!("a snapshot of {authority} in memory")))
    }

    pub(crate) fn stored_state(
        &self,
        authority: &Authority,
        bodies: &MemoryBodies,
    ) -> Result<StoredState, StoreError> {
        let snapshot = self.snapshot(authority)?;
        let copy = snapshot.copy.as_ref();
        let bytes = copy.and_then(|copy| bodies.bytes_of(copy.body.hash));
        Ok(StoredState {
            knowledge: snapshot.knowledge(bytes.cloned()),
            snapshot,
        })
    }

    /// Returns the bodies that it refers to. If the body is also the copy, it is returned twice.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyHash> {
        self.record.bodies()
    }

    pub(crate) fn release_bodies(&self, bodies: &mut MemoryBodies) {
        for hash in self.bodies() {
            bodies.release(hash);
        }
    }

    fn record_bytes(&self) -> usize {
        allocated_bytes(self.record.bytes())
    }

    /// Returns the bytes that removing it frees, without its bodies.
    pub(crate) fn cost(&self) -> usize {
        size_of::<Self>() + self.record_bytes()
    }
}

/// The snapshots of one authority, oldest first, its lease, and its deliveries.
#[derive(Default)]
pub(crate) struct MemoryHistory {
    lease: Option<Box<Lease>>,
    /// By receiver.
    deliveries: BTreeMap<String, Delivery>,
    snapshots: Vec<MemorySnapshot>,
    /// Sum of [`MemorySnapshot::record_bytes`], so a change need not read a long history.
    records_bytes: usize,
}

impl MemoryHistory {
    pub(crate) fn snapshots(&self) -> &[MemorySnapshot] {
        &self.snapshots
    }

    pub(crate) fn lease(&self) -> Option<&Lease> {
        self.lease.as_deref()
    }

    pub(crate) fn replace_lease(&mut self, lease: Option<Lease>) -> Option<Lease> {
        let lease = lease.map(Box::new);
        core::mem::replace(&mut self.lease, lease).map(|lease| *lease)
    }

    pub(crate) fn delivery(&self, receiver: &str) -> Option<&Delivery> {
        self.deliveries.get(receiver)
    }

    /// Replaces the last delivery of a receiver, and returns the previous one.
    pub(crate) fn replace_delivery(
        &mut self,
        receiver: &str,
        delivery: Option<Delivery>,
    ) -> Option<Delivery> {
        match delivery {
            Some(delivery) => self.deliveries.insert(receiver.to_owned(), delivery),
            None => self.deliveries.remove(receiver),
        }
    }

    /// Removes the deliveries before a time if no later snapshot exists, and returns their number.
    pub(crate) fn drop_deliveries(&mut self, keep_from: Timestamp) -> usize {
        let before = self.deliveries.len();
        if self.snapshots.iter().all(|it| it.ended_at < keep_from) {
            self.deliveries.retain(|_, it| it.at >= keep_from);
        }
        before - self.deliveries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.snapshots.is_empty() && self.lease.is_none() && self.deliveries.is_empty()
    }

    pub(crate) fn push(&mut self, snapshots: MemorySnapshot) {
        if self.snapshots.len() == self.snapshots.capacity() {
            // Most authorities have one snapshot, so doubling would waste memory.
            self.snapshots
                .reserve_exact((self.snapshots.len() / 4).max(1));
        }
        self.records_bytes += snapshots.record_bytes();
        self.snapshots.push(snapshots);
    }

    pub(crate) fn take_newest(&mut self) -> Option<MemorySnapshot> {
        let snapshots = self.snapshots.pop()?;
        self.snapshots.shrink_to_fit();
        self.records_bytes -= snapshots.record_bytes();
        Some(snapshots)
    }

    pub(crate) fn take_oldest(&mut self, count: usize) -> Vec<MemorySnapshot> {
        let oldest: Vec<MemorySnapshot> = self.snapshots.drain(..count).collect();
        if self.snapshots.capacity() > 2 * self.snapshots.len() {
            self.snapshots.shrink_to_fit();
        }
        self.records_bytes -= oldest
            .iter()
            .map(MemorySnapshot::record_bytes)
            .sum::<usize>();
        oldest
    }

    /// Removes what a sweep deletes. The latest snapshot and the one in force at `keep_from` stay, unless no attempt
    /// ever found a server.
    pub(crate) fn take_out_of_force(
        &mut self,
        keep_from: Timestamp,
        authority: &Authority,
    ) -> Vec<MemorySnapshot> {
        let key = |it: &MemorySnapshot| (it.ended_at, it.id);
        let in_force = self.in_force(keep_from).map(key);
        let latest = self.snapshots.last().map(|it| it.id);
        let tells_nothing = |it: &MemorySnapshot| {
            let failed = |it: Snapshot| {
                matches!(it.attempt.outcome, Outcome::Failed(_)) && it.copy.is_none()
            };
            it.ended_at < keep_from && it.snapshot(authority).is_ok_and(failed)
        };
        let never_answered = self.snapshots.iter().all(tells_nothing);
        let is_kept = |it: &MemorySnapshot| {
            !never_answered && (Some(key(it)) >= in_force || Some(it.id) == latest)
        };
        let (kept, gone) = take(&mut self.snapshots).into_iter().partition(is_kept);
        self.snapshots = kept;
        self.snapshots.shrink_to_fit();
        self.records_bytes = self
            .snapshots
            .iter()
            .map(MemorySnapshot::record_bytes)
            .sum();
        gone
    }

    /// Returns the snapshot in force at a time: the latest by then, and the last one put among those of one second.
    pub(crate) fn in_force(&self, at: Timestamp) -> Option<&MemorySnapshot> {
        let ended = self.snapshots.iter().filter(|it| it.ended_at <= at);
        ended.max_by_key(|it| it.ended_at)
    }

    /// Returns the bytes that it takes on the heap, without bodies.
    pub(crate) fn heap_bytes(&self) -> usize {
        let lease = self.lease.as_ref().map_or(0, |lease| {
            let url = lease.authority.robots_url().as_str();
            allocated_bytes(size_of::<Lease>())
                + allocated_bytes(lease.holder.len())
                + allocated_bytes(url.len())
        });
        let deliveries = self.deliveries.iter().map(|(receiver, it)| {
            let texts = [receiver, &it.event, &it.state];
            let texts = texts.map(|text| allocated_bytes(text.len()));
            let body = it.body.as_ref();
            // A leaf of the tree has room for eleven entries.
            12 * (size_of::<String>() + size_of::<Delivery>())
                + texts.iter().sum::<usize>()
                + body.map_or(0, |body| MemoryBodies::cost(body.len()))
        });
        let list = allocated_bytes(self.snapshots.capacity() * size_of::<MemorySnapshot>());
        lease + list + self.records_bytes + deliveries.sum::<usize>()
    }
}
