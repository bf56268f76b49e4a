//! What a store in memory has of one authority.

use core::mem::size_of;

use http::HeaderValue;
use verger_access::{Authority, Hop, LastAttempt, Timestamp, Warning};

use crate::body_hash::BodyHash;
use crate::lease::Lease;
use crate::memory_bodies::MemoryBodies;
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::standing::Standing;

/// What a header field takes beside its octets, about.
const FIELD_OVERHEAD_OCTETS: usize = 96;

/// What any item of a list takes beside its text, about.
const ITEM_OVERHEAD_OCTETS: usize = 32;

/// A snapshot that holds on to its bodies.
pub(crate) struct Seen(Snapshot);

impl Seen {
    /// Keeps an observation; its bodies are taken from, or into, `bodies`.
    pub(crate) fn new(id: SnapshotId, it: &Observation, bodies: &mut MemoryBodies) -> Self {
        let snapshot = Snapshot::of(id, it);
        if let (Some(body), Some(copy)) = (snapshot.body, &it.attempt.copy) {
            bodies.take(body.hash, &copy.body);
        }
        if let (Some(kept), Some(copy)) = (&snapshot.copy, &it.knowledge.copy) {
            bodies.take(kept.body.hash, &copy.body);
        }
        Self(snapshot)
    }

    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.0
    }

    pub(crate) fn standing(&self, bodies: &MemoryBodies) -> Standing {
        let copy = self.0.copy.as_ref();
        let octets = copy.and_then(|copy| bodies.octets_of(copy.body.hash));
        Standing {
            snapshot: self.0.clone(),
            knowledge: self.0.knowledge(octets.cloned()),
        }
    }

    /// The bodies that it holds on to; one that it needs twice comes twice.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyHash> {
        let copy = self.0.copy.as_ref().map(|copy| copy.body);
        self.0.body.into_iter().chain(copy).map(|body| body.hash)
    }

    /// Gives up its bodies.
    pub(crate) fn give_back(&self, bodies: &mut MemoryBodies) {
        for hash in self.bodies() {
            bodies.give_back(hash);
        }
    }

    /// What it takes without its bodies, about.
    pub(crate) fn cost(&self) -> usize {
        let snapshot = &self.0;
        let hop = |hop: &Hop| size_of::<Hop>() + hop.url.as_str().len();
        let fields = snapshot.headers.fields();
        let fields = fields.map(|(_, value)| FIELD_OVERHEAD_OCTETS + value.len());
        let warning = |warning: &Warning| ITEM_OVERHEAD_OCTETS + warning.code().len();
        let copy = snapshot.copy.as_ref().map_or(0, |copy| {
            let values = [&copy.entity_tag, &copy.last_modified]
                .into_iter()
                .flatten();
            copy.url.as_str().len() + values.map(HeaderValue::len).sum::<usize>()
        });
        size_of::<Self>()
            + snapshot.authority.robots_url().as_str().len()
            + snapshot.profile.len()
            + snapshot.hops.iter().map(hop).sum::<usize>()
            + fields.sum::<usize>()
            + snapshot.warnings.iter().map(warning).sum::<usize>()
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
            let LastAttempt { at: ended, .. } = seen.snapshot().attempt;
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
