//! What a store in memory has of one authority.

use core::mem::size_of;

use http::HeaderValue;
use verger_access::{Authority, Hop, Knowledge, LastAttempt, Timestamp};

use crate::body_hash::BodyHash;
use crate::lease::Lease;
use crate::memory_bodies::MemoryBodies;
use crate::observation::Observation;
use crate::snapshot::{BodyAddress, Snapshot, SnapshotId};
use crate::standing::Standing;

/// What a header field takes beside its octets, about.
const FIELD_OVERHEAD_OCTETS: usize = 96;

/// A snapshot and what was known with it. Both hold the one copy of their bodies.
pub(crate) struct Seen {
    snapshot: Snapshot,
    copy: Option<BodyHash>,
    knowledge: Knowledge,
}

impl Seen {
    /// Keeps an observation; its bodies are taken from, or into, `bodies`.
    pub(crate) fn new(id: SnapshotId, it: &Observation, bodies: &mut MemoryBodies) -> Self {
        let mut knowledge = Knowledge {
            last: Some(it.attempt.last),
            ..it.knowledge.clone()
        };
        let copy = knowledge.copy.as_mut().map(|copy| {
            let hash = BodyHash::of(&copy.body);
            copy.body = bodies.take(hash, &copy.body);
            hash
        });
        let body = it.attempt.copy.as_ref().map(|copy| {
            let hash = BodyHash::of(&copy.body);
            bodies.take(hash, &copy.body);
            let octets = copy.body.len() as u64;
            BodyAddress { hash, octets }
        });
        let snapshot = Snapshot {
            id,
            authority: it.authority.clone(),
            attempt: it.attempt.last,
            hops: it.attempt.hops.clone(),
            headers: it.headers.clone(),
            peer: it.peer,
            fresh_until: it.fresh_until,
            body,
        };
        Self {
            snapshot,
            copy,
            knowledge,
        }
    }

    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    pub(crate) fn standing(&self) -> Standing {
        Standing {
            snapshot: self.snapshot.clone(),
            knowledge: self.knowledge.clone(),
        }
    }

    /// Gives up its bodies.
    pub(crate) fn give_back(&self, bodies: &mut MemoryBodies) {
        let body = self.snapshot.body.map(|body| body.hash);
        for hash in body.into_iter().chain(self.copy) {
            bodies.give_back(hash);
        }
    }

    /// What it takes without its bodies, about.
    fn cost(&self) -> usize {
        let snapshot = &self.snapshot;
        let hop = |hop: &Hop| size_of::<Hop>() + hop.url.as_str().len();
        let fields = snapshot.headers.fields();
        let fields = fields.map(|(_, value)| FIELD_OVERHEAD_OCTETS + value.len());
        let copy = self.knowledge.copy.as_ref().map_or(0, |copy| {
            let values = [&copy.entity_tag, &copy.last_modified]
                .into_iter()
                .flatten();
            copy.url.as_str().len() + values.map(HeaderValue::len).sum::<usize>()
        });
        size_of::<Self>()
            + snapshot.authority.robots_url().as_str().len()
            + snapshot.hops.iter().map(hop).sum::<usize>()
            + fields.sum::<usize>()
            + copy
    }
}

/// What there is of one authority.
pub(crate) struct MemoryHistory {
    /// When it was last asked for, in uses of the store.
    pub(crate) used: u64,
    pub(crate) lease: Option<Lease>,
    seen: Vec<Seen>,
    /// What all in `seen` takes, so that a long history is not counted again with each change.
    seen_cost: usize,
}

impl MemoryHistory {
    pub(crate) fn new(used: u64) -> Self {
        Self {
            used,
            lease: None,
            seen: Vec::new(),
            seen_cost: 0,
        }
    }

    pub(crate) fn seen(&self) -> &[Seen] {
        &self.seen
    }

    pub(crate) fn push(&mut self, seen: Seen) {
        self.seen_cost += seen.cost();
        self.seen.push(seen);
    }

    pub(crate) fn take_newest(&mut self) -> Option<Seen> {
        let seen = self.seen.pop()?;
        self.seen_cost -= seen.cost();
        Some(seen)
    }

    pub(crate) fn take_oldest(&mut self, count: usize) -> impl Iterator<Item = Seen> {
        let oldest = &self.seen[..count];
        self.seen_cost -= oldest.iter().map(Seen::cost).sum::<usize>();
        self.seen.drain(..count)
    }

    /// Where the snapshot in force at a time stands.
    pub(crate) fn place_in_force(&self, at: Timestamp) -> Option<usize> {
        let had_ended = |seen: &Seen| {
            let LastAttempt { at: ended, .. } = seen.snapshot.attempt;
            ended <= at
        };
        self.seen.iter().rposition(had_ended)
    }

    /// What it takes without bodies, about. `authority` is its key, which stands in two trees.
    pub(crate) fn cost(&self, authority: &Authority) -> usize {
        let key = size_of::<Authority>() + authority.robots_url().as_str().len();
        let lease = self.lease.as_ref().map_or(0, |lease| {
            lease.holder.len() + lease.authority.robots_url().as_str().len()
        });
        2 * key + size_of::<Self>() + lease + self.seen_cost
    }
}
