//! `MemoryState`: the contents of a store in memory, and how it keeps its bound.

use std::collections::BTreeMap;
use std::sync::Arc;

use verger_access::Timestamp;

use crate::lease::Lease;
use crate::memory::memory_authorities::MemoryAuthorities;
use crate::memory::memory_bodies::MemoryBodies;
use crate::memory::memory_history::{MemoryHistory, MemorySnapshot};
use crate::store_error::StoreError;

#[derive(Default)]
pub(crate) struct MemoryState {
    pub(crate) authorities: MemoryAuthorities,
    pub(crate) bodies: MemoryBodies,
    /// Bytes that the authorities take, without their bodies.
    pub(crate) bytes: usize,
    pub(crate) last_snapshot: u64,
    pub(crate) last_token: u64,
}

#[derive(Default)]
struct Eviction {
    authorities: Vec<Arc<str>>,
    /// Number of the oldest snapshots to delete from the authority that needs room.
    oldest_of_keep: usize,
}

impl MemoryState {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.bodies.bytes()
    }

    /// Changes the history of an authority, makes it the most recently used one, and updates the size. Adds the
    /// authority if it is new.
    pub(crate) fn change<T>(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut MemoryHistory, &mut MemoryBodies) -> T,
    ) -> Option<T> {
        if self.authorities.add(name) {
            self.bytes += MemoryAuthorities::cost(name);
        }
        let history = self.authorities.touch(name)?;
        self.bytes -= history.heap_bytes();
        let changed = change(history, &mut self.bodies);
        self.bytes += history.heap_bytes();
        Some(changed)
    }

    /// Returns the snapshots of an authority, oldest first, and makes it the most recently used one.
    pub(crate) fn snapshots(&mut self, name: &str) -> &[MemorySnapshot] {
        let history = self.authorities.touch(name);
        history.map_or(&[], |history| history.snapshots())
    }

    fn evict(&mut self, name: &str) {
        let Some(history) = self.authorities.remove(name) else {
            return;
        };
        self.bytes -= MemoryAuthorities::cost(name) + history.heap_bytes();
        for snapshot in history.snapshots() {
            snapshot.release_bodies(&mut self.bodies);
        }
    }

    pub(crate) fn remove_if_empty(&mut self, name: &str) {
        let history = self.authorities.history(name);
        if history.is_some_and(MemoryHistory::is_empty) {
            self.evict(name);
        }
    }

    /// Evicts until the bound is met. Returns `false`, and evicts nothing, if that is impossible.
    pub(crate) fn make_room(&mut self, bytes_max: usize, keep: &str, now: Timestamp) -> bool {
        let Some(eviction) = self.eviction(bytes_max, keep, now) else {
            return false;
        };
        for name in &eviction.authorities {
            self.evict(name);
        }
        if eviction.oldest_of_keep > 0 {
            self.drop_oldest(keep, eviction.oldest_of_keep);
        }
        true
    }

    /// Finds the entries to evict, or returns `None` if evicting everything does not suffice.
    fn eviction(&self, bytes_max: usize, keep: &str, now: Timestamp) -> Option<Eviction> {
        let mut left = self.bytes();
        let mut eviction = Eviction::default();
        let mut released = BTreeMap::new();
        let mut bodies_of = |snapshot: &MemorySnapshot| {
            let freed = snapshot.bodies();
            let freed = freed.map(|hash| self.bodies.would_free(hash, &mut released));
            freed.sum::<usize>()
        };
        for (name, history) in self.authorities.by_use() {
            if left <= bytes_max {
                return Some(eviction);
            }
            let is_fetched = history.lease().is_some_and(|lease| lease.is_live(now));
            if **name == *keep || is_fetched {
                continue;
            }
            left -= MemoryAuthorities::cost(name) + history.heap_bytes();
            left -= history
                .snapshots()
                .iter()
                .map(&mut bodies_of)
                .sum::<usize>();
            eviction.authorities.push(Arc::clone(name));
        }
        let own = self.authorities.history(keep).map(MemoryHistory::snapshots);
        for pair in own.unwrap_or_default().windows(2) {
            if left <= bytes_max {
                break;
            }
            // The newest one is never the first of a pair.
            if let [oldest, _] = pair {
                left -= oldest.cost() + bodies_of(oldest);
                eviction.oldest_of_keep += 1;
            }
        }
        (left <= bytes_max).then_some(eviction)
    }

    pub(crate) fn drop_oldest(&mut self, name: &str, count: usize) {
        self.drop_from(name, |history| history.take_oldest(count));
    }

    /// Drops the snapshots that `taken` removes from a history, and returns their number.
    pub(crate) fn drop_from(
        &mut self,
        name: &str,
        taken: impl FnOnce(&mut MemoryHistory) -> Vec<MemorySnapshot>,
    ) -> u64 {
        let dropped = self.change(name, |history, bodies| {
            let gone = taken(history);
            for it in &gone {
                it.release_bodies(bodies);
            }
            gone.len() as u64
        });
        dropped.unwrap_or(0)
    }

    pub(crate) fn check(&self, lease: &Lease) -> Result<(), StoreError> {
        let history = self.authorities.history(&lease.authority.to_string());
        match history.and_then(MemoryHistory::lease) {
            Some(newest) if newest.token == lease.token => Ok(()),
            _ => Err(StoreError::lost(lease)),
        }
    }
}
