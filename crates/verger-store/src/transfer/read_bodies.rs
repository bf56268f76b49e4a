//! `ReadBodies`: a cache of the bodies that were read from an export.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::body_hash::BodyHash;
use crate::transfer::export::{BODY_BYTES_BETWEEN_MAX, BODY_OVERHEAD_BYTES};

/// Size of the cache in bytes: twice as much as an export writes before it repeats a body.
const BYTES_MAX: usize = 2 * BODY_BYTES_BETWEEN_MAX;

#[derive(Default)]
pub(crate) struct ReadBodies {
    bodies: BTreeMap<BodyHash, (u64, Arc<[u8]>)>,
    /// The hashes of the bodies, by when they were last read.
    order: BTreeMap<u64, BodyHash>,
    last_read: u64,
    bytes: usize,
}

impl ReadBodies {
    /// Adds a body, and evicts the least recently read ones. The newest always stays.
    pub(crate) fn keep(&mut self, hash: BodyHash, bytes: Arc<[u8]>) {
        self.last_read += 1;
        self.bytes += Self::cost(&bytes);
        // Reading a body again makes it the newest.
        if let Some((read, bytes)) = self.bodies.insert(hash, (self.last_read, bytes)) {
            self.order.remove(&read);
            self.bytes -= Self::cost(&bytes);
        }
        self.order.insert(self.last_read, hash);
        while self.bytes > BYTES_MAX && self.order.len() > 1 {
            let oldest = self.order.pop_first();
            let gone = oldest.and_then(|(_, hash)| self.bodies.remove(&hash));
            self.bytes -= gone.map_or(0, |(_, bytes)| Self::cost(&bytes));
        }
    }

    fn cost(bytes: &[u8]) -> usize {
        bytes.len() + BODY_OVERHEAD_BYTES
    }

    pub(crate) fn bytes_of(&self, hash: BodyHash) -> Option<&Arc<[u8]>> {
        self.bodies.get(&hash).map(|(_, bytes)| bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_as_large_as_an_export_needs() {
        let mut bodies = ReadBodies::default();
        let body = |number: u8| -> Arc<[u8]> { vec![number; 1 << 20].into() };
        // The cache does not check hashes.
        let hashes: Vec<_> = (0..40).map(|number| BodyHash::new(&[number])).collect();
        for (number, hash) in (0..40).zip(&hashes) {
            bodies.keep(*hash, body(number));
            bodies.keep(hashes[0], body(0));
        }
        let kept = |hash: &&BodyHash| bodies.bytes_of(**hash).is_some();
        assert_eq!(hashes.iter().filter(kept).count(), 31);
        assert!(kept(&&hashes[0]) && !kept(&&hashes[1]) && kept(&&hashes[39]));
        let large: Arc<[u8]> = vec![7; 2 * BYTES_MAX].into();
        bodies.keep(hashes[1], Arc::clone(&large));
        assert_eq!(bodies.bytes_of(hashes[1]), Some(&large));
        assert_eq!(bodies.order.len(), 1);
    }
}
