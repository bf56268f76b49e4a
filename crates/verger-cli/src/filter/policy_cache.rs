//! Policies by authority, in bounded memory, shared by all threads.
//!
//! A shard has two generations. What is asked for moves to the younger one; when that is full, it
//! becomes the older one, and what was left there is dropped. So what was asked for lately stays,
//! without a list to keep in order, and never more than both generations may weigh is held.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// Threads that ask about different authorities seldom wait for each other.
const SHARDS: usize = 64;

/// What is kept by authority.
pub(super) struct PolicyCache<T> {
    shards: Box<[Mutex<Shard<T>>]>,
    hasher: RandomState,
}

struct Shard<T> {
    younger: Generation<T>,
    older: Generation<T>,
    younger_octets: usize,
    younger_octets_max: usize,
}

type Generation<T> = HashMap<Box<[u8]>, Kept<T>>;

struct Kept<T> {
    value: Arc<T>,
    octets: usize,
}

impl<T> PolicyCache<T> {
    /// A cache of values that weigh up to `octets_max` in all.
    pub(super) fn of(octets_max: usize) -> Self {
        let shard = || {
            Mutex::new(Shard {
                younger: HashMap::new(),
                older: HashMap::new(),
                younger_octets: 0,
                younger_octets_max: octets_max / SHARDS / 2,
            })
        };
        Self {
            shards: (0..SHARDS).map(|_| shard()).collect(),
            hasher: RandomState::new(),
        }
    }

    /// The value for `authority`, made by `make` where the cache has none; `make` also says how
    /// many octets it weighs. Threads that miss it at once make it each.
    pub(super) fn look_up(&self, authority: &[u8], make: impl FnOnce() -> (T, usize)) -> Arc<T> {
        // Dropped values are freed after the lock of their shard is released, since that takes time.
        let found = self.with_shard(authority, |shard| shard.find(authority));
        if let Some((value, _dropped)) = found {
            return value;
        }
        let (value, octets) = make();
        let value = Arc::new(value);
        let kept = Kept {
            value: Arc::clone(&value),
            octets,
        };
        let _dropped = self.with_shard(authority, |shard| shard.keep(authority.into(), kept));
        value
    }

    fn with_shard<R>(&self, authority: &[u8], work: impl FnOnce(&mut Shard<T>) -> R) -> R {
        // Truncation does no harm: any bits choose a shard.
        #[expect(clippy::cast_possible_truncation)]
        let nth = self.hasher.hash_one(authority) as usize % SHARDS;
        // A shard is consistent between calls, even if a thread panicked.
        let mut shard = self.shards[nth]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        work(&mut shard)
    }
}

impl<T> Shard<T> {
    /// The value for `authority`, and what was dropped.
    fn find(&mut self, authority: &[u8]) -> Option<(Arc<T>, Generation<T>)> {
        if let Some(kept) = self.younger.get(authority) {
            return Some((Arc::clone(&kept.value), Generation::new()));
        }
        let (authority, kept) = self.older.remove_entry(authority)?;
        let value = Arc::clone(&kept.value);
        Some((value, self.keep(authority, kept)))
    }

    /// Keeps a value, and gives out what is dropped for it.
    fn keep(&mut self, authority: Box<[u8]>, kept: Kept<T>) -> Generation<T> {
        let mut dropped = Generation::new();
        if self.younger_octets + kept.octets > self.younger_octets_max {
            dropped = mem::replace(&mut self.older, mem::take(&mut self.younger));
            self.younger_octets = 0;
        }
        self.younger_octets += kept.octets;
        if let Some(before) = self.younger.insert(authority, kept) {
            self.younger_octets -= before.octets;
        }
        dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT_OCTETS: usize = 10;

    /// Asks for a number; true where it had to be made.
    fn makes(cache: &PolicyCache<usize>, number: usize) -> bool {
        let mut is_made = false;
        let value = cache.look_up(&number.to_ne_bytes(), || {
            is_made = true;
            (number, KEPT_OCTETS)
        });
        assert_eq!(*value, number);
        is_made
    }

    fn held(cache: &PolicyCache<usize>) -> usize {
        let held = cache.shards.iter().map(|shard| {
            let shard = shard.lock().unwrap();
            assert!(shard.younger_octets <= shard.younger_octets_max);
            assert_eq!(shard.younger_octets, shard.younger.len() * KEPT_OCTETS);
            shard.younger.len() + shard.older.len()
        });
        held.sum()
    }

    #[test]
    fn what_is_at_hand_is_not_made_anew() {
        let cache = PolicyCache::of(1 << 20);
        assert!(makes(&cache, 1) && makes(&cache, 2));
        assert!(!makes(&cache, 1) && !makes(&cache, 2));
    }

    #[test]
    fn it_never_holds_more_than_it_may_and_what_is_asked_for_stays() {
        let cache = PolicyCache::of(SHARDS * KEPT_OCTETS * 20);
        assert!(makes(&cache, 0));
        for number in 1..10_000 {
            assert!(makes(&cache, number));
            assert!(!makes(&cache, 0), "after {number}");
            assert!(held(&cache) <= SHARDS * 20);
        }
    }

    #[test]
    fn what_weighs_more_than_there_is_room_for_is_answered_all_the_same() {
        let cache = PolicyCache::of(0);
        for number in 0..1000 {
            assert!(makes(&cache, number));
        }
        let held = cache.shards.iter().map(|shard| {
            let shard = shard.lock().unwrap();
            shard.younger.len() + shard.older.len()
        });
        assert!(held.sum::<usize>() <= 2 * SHARDS);
    }
}
