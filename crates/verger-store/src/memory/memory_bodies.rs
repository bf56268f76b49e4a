//! Bodies in memory: each once, and as long as somebody needs it.

use std::collections::BTreeMap;
use std::sync::Arc;

use verger::allocated_octets;

use crate::body_hash::BodyHash;

/// What a body's hash and place in the tree take, as measured with hashes, which fill its nodes as
/// chance has it.
const TREE_OCTETS: usize = 88;

/// The counters before the octets of a body.
const COUNTERS_OCTETS: usize = 16;

struct Body {
    octets: Arc<[u8]>,
    needs: usize,
}

#[derive(Default)]
pub(crate) struct MemoryBodies {
    bodies: BTreeMap<BodyHash, Body>,
    /// What all of them take.
    octets: usize,
    body_octets: usize,
}

impl MemoryBodies {
    /// What a body of that length takes.
    pub(crate) fn cost(octets: usize) -> usize {
        allocated_octets(COUNTERS_OCTETS + octets) + TREE_OCTETS
    }

    /// Notes that somebody needs a body.
    pub(crate) fn take(&mut self, hash: BodyHash, octets: &Arc<[u8]>) {
        let body = self.bodies.entry(hash).or_insert_with(|| {
            self.octets += Self::cost(octets.len());
            self.body_octets += octets.len();
            Body {
                octets: Arc::clone(octets),
                needs: 0,
            }
        });
        body.needs += 1;
    }

    /// Notes that somebody needs a body no more.
    pub(crate) fn give_back(&mut self, hash: BodyHash) {
        let Some(body) = self.bodies.get_mut(&hash) else {
            return;
        };
        body.needs -= 1;
        if body.needs == 0 {
            self.octets -= Self::cost(body.octets.len());
            self.body_octets -= body.octets.len();
            self.bodies.remove(&hash);
        }
    }

    /// What would be free if it were given back as often as `times` says with this time; each time
    /// is noted there, and nothing is given back.
    pub(crate) fn would_free(
        &self,
        hash: BodyHash,
        times: &mut BTreeMap<BodyHash, usize>,
    ) -> usize {
        let given_back = times.entry(hash).or_default();
        *given_back += 1;
        let body = self.bodies.get(&hash);
        let freed = body.filter(|body| body.needs == *given_back);
        freed.map_or(0, |body| Self::cost(body.octets.len()))
    }

    pub(crate) fn octets_of(&self, hash: BodyHash) -> Option<&Arc<[u8]>> {
        self.bodies.get(&hash).map(|body| &body.octets)
    }

    pub(crate) fn count(&self) -> usize {
        self.bodies.len()
    }

    /// The octets of all of them.
    pub(crate) fn body_octets(&self) -> usize {
        self.body_octets
    }

    /// What all of them take.
    pub(crate) fn octets(&self) -> usize {
        self.octets
    }
}
