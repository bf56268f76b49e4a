//! `MemoryBodies`: bodies in memory, each once, counted by references.

use std::collections::BTreeMap;
use std::sync::Arc;

use verger::allocated_bytes;

use crate::body_hash::BodyHash;

/// Bytes that a hash and its entry take in the tree. Measured with hashes, which arrive in random order.
const TREE_BYTES: usize = 88;

/// Bytes of the reference counts of an `Arc<[u8]>`.
const COUNTERS_BYTES: usize = 16;

struct Body {
    bytes: Arc<[u8]>,
    /// Number of snapshots that refer to it, as the body of the attempt or as the copy.
    references: usize,
}

#[derive(Default)]
pub(crate) struct MemoryBodies {
    bodies: BTreeMap<BodyHash, Body>,
    /// Bytes of memory that all bodies take.
    bytes: usize,
    body_bytes: usize,
}

impl MemoryBodies {
    pub(crate) fn cost(bytes: usize) -> usize {
        allocated_bytes(COUNTERS_BYTES + bytes) + TREE_BYTES
    }

    /// Adds a reference to a body, and the body if it is new.
    pub(crate) fn retain(&mut self, hash: BodyHash, bytes: &Arc<[u8]>) {
        let body = self.bodies.entry(hash).or_insert_with(|| {
            self.bytes += Self::cost(bytes.len());
            self.body_bytes += bytes.len();
            Body {
                bytes: Arc::clone(bytes),
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
            self.bytes -= Self::cost(body.bytes.len());
            self.body_bytes -= body.bytes.len();
            self.bodies.remove(&hash);
        }
    }

    /// Returns the bytes that one more release of a body would free after the releases in `times`, and counts it there.
    /// Does not release anything.
    pub(crate) fn would_free(
        &self,
        hash: BodyHash,
        times: &mut BTreeMap<BodyHash, usize>,
    ) -> usize {
        let released = times.entry(hash).or_default();
        *released += 1;
        let body = self.bodies.get(&hash);
        let freed = body.filter(|body| body.references == *released);
        freed.map_or(0, |body| Self::cost(body.bytes.len()))
    }

    pub(crate) fn bytes_of(&self, hash: BodyHash) -> Option<&Arc<[u8]>> {
        self.bodies.get(&hash).map(|body| &body.bytes)
    }

    pub(crate) fn count(&self) -> usize {
        self.bodies.len()
    }

    pub(crate) fn body_bytes(&self) -> usize {
        self.body_bytes
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}
