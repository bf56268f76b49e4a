//! `MemoryBodies`: bodies in memory, each once, counted by references.

use std::collections::BTreeMap;
use std::sync::Arc;

use verger::allocated_octets;

use crate::body_hash::BodyHash;

/// Octets that a body's hash and entry take in the tree, as measured with hashes, which are inserted
/// in random order.
const TREE_OCTETS: usize = 88;

/// Octets of the reference counts of an `Arc<[u8]>`.
const COUNTERS_OCTETS: usize = 16;

struct Body {
    octets: Arc<[u8]>,
    /// How many snapshots refer to it, as body of the attempt and as copy.
    references: usize,
}

#[derive(Default)]
pub(crate) struct MemoryBodies {
    bodies: BTreeMap<BodyHash, Body>,
    /// Octets of memory that all of them take.
    octets: usize,
    /// The sum of their lengths.
    body_octets: usize,
}

impl MemoryBodies {
    /// Octets of memory that a body of `octets` octets takes.
    pub(crate) fn cost(octets: usize) -> usize {
        allocated_octets(COUNTERS_OCTETS + octets) + TREE_OCTETS
    }

    /// Adds a reference to a body, and the body where it is new.
    pub(crate) fn retain(&mut self, hash: BodyHash, octets: &Arc<[u8]>) {
        let body = self.bodies.entry(hash).or_insert_with(|| {
            self.octets += Self::cost(octets.len());
            self.body_octets += octets.len();
            Body {
                octets: Arc::clone(octets),
                references: 0,
            }
        });
        body.references += 1;
    }

    /// Removes a reference to a body, and the body with the last one.
    pub(crate) fn release(&mut self, hash: BodyHash) {
        let Some(body) = self.bodies.get_mut(&hash) else {
            return;
        };
        body.references -= 1;
        if body.references == 0 {
            self.octets -= Self::cost(body.octets.len());
            self.body_octets -= body.octets.len();
            self.bodies.remove(&hash);
        }
    }

    /// Returns how many octets of memory one more release of a body would free after those that are
    /// counted in `times`, and counts it there. Releases nothing.
    pub(crate) fn would_free(
        &self,
        hash: BodyHash,
        times: &mut BTreeMap<BodyHash, usize>,
    ) -> usize {
        let released = times.entry(hash).or_default();
        *released += 1;
        let body = self.bodies.get(&hash);
        let freed = body.filter(|body| body.references == *released);
        freed.map_or(0, |body| Self::cost(body.octets.len()))
    }

    pub(crate) fn octets_of(&self, hash: BodyHash) -> Option<&Arc<[u8]>> {
        self.bodies.get(&hash).map(|body| &body.octets)
    }

    pub(crate) fn count(&self) -> usize {
        self.bodies.len()
    }

    /// The sum of the lengths of all bodies.
    pub(crate) fn body_octets(&self) -> usize {
        self.body_octets
    }

    /// Octets of memory that all of them take.
    pub(crate) fn octets(&self) -> usize {
        self.octets
    }
}
