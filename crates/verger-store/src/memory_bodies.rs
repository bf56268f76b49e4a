//! Bodies in memory: each once, and as long as somebody needs it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::body_hash::BodyHash;

/// What a body takes beside its octets, about: its hash, its counters, its place in the tree.
const BODY_OVERHEAD_OCTETS: usize = 128;

struct Body {
    octets: Arc<[u8]>,
    needs: usize,
}

#[derive(Default)]
pub(crate) struct MemoryBodies {
    bodies: BTreeMap<BodyHash, Body>,
    octets: usize,
}

impl MemoryBodies {
    /// What a body of that length takes.
    pub(crate) fn cost(octets: usize) -> usize {
        octets + BODY_OVERHEAD_OCTETS
    }

    /// Notes that somebody needs a body.
    pub(crate) fn take(&mut self, hash: BodyHash, octets: &Arc<[u8]>) {
        let total = &mut self.octets;
        let body = self.bodies.entry(hash).or_insert_with(|| {
            *total += Self::cost(octets.len());
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
        self.octets - self.count() * BODY_OVERHEAD_OCTETS
    }

    /// What all of them take.
    pub(crate) fn octets(&self) -> usize {
        self.octets
    }
}
