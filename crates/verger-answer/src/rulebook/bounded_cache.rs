//! `BoundedCache`: values by key, in bounded memory, shared by all threads.
//!
//! Entries are counted by the bytes that they take, in tables of `quick_cache`, as in the client's cache, whose keys
//! have an authority and a crawler, and which removes authorities.

use std::convert::Infallible;
use std::fmt;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, Options, OptionsBuilder, Weighter};
use verger::allocated_bytes;

/// How many bytes a cache takes unless an option says otherwise: 256 MiB.
pub const BYTES_DEFAULT: u64 = 256 << 20;

/// Bytes that an entry takes in the cache's own tables, as the client counts them.
const ENTRY_BYTES: usize = 96;

/// The size of a shard; shards are locked separately, and a larger entry is not cached.
const SHARD_BYTES: u64 = 32 << 20;

/// The most shards.
const SHARDS_MAX: u64 = 64;

/// An estimate of the size of an entry, for the size of the table.
const USUAL_ENTRY_BYTES: u64 = 1 << 10;

/// Values by key, such as an authority, in bounded memory. Threads share it.
pub struct BoundedCache<T> {
    held: Cache<Vec<u8>, Counted<T>, Bytes>,
}

/// A value and the bytes that it takes.
#[derive(Clone)]
struct Counted<T> {
    value: T,
    bytes: usize,
}

/// Counts an entry by its bytes.
#[derive(Clone)]
struct Bytes;

impl<T> Weighter<Vec<u8>, Counted<T>> for Bytes {
    fn weight(&self, key: &Vec<u8>, counted: &Counted<T>) -> u64 {
        let key = allocated_bytes(key.capacity());
        (ENTRY_BYTES + key).saturating_add(counted.bytes) as u64
    }
}

impl<T: Clone> BoundedCache<T> {
    /// A cache of at most so many bytes.
    #[must_use]
    pub fn new(bytes_max: u64) -> Self {
        let lifecycle = DefaultLifecycle::default();
        let hashes = DefaultHashBuilder::default();
        Self {
            held: Cache::with_options(options(bytes_max), Bytes, hashes, lifecycle),
        }
    }

    /// Returns the value for `key`, if it is held.
    #[must_use]
    pub fn held(&self, key: &[u8]) -> Option<T> {
        self.held.get(key).map(|counted| counted.value)
    }

    /// Holds a value of so many bytes, in place of the one before.
    pub fn hold(&self, key: &[u8], value: T, bytes: usize) {
        let counted = Counted { value, bytes };
        self.held.insert(key.to_owned(), counted);
    }

    /// Returns the value for `key`, made by `make` where none is held; `make` also returns how
    /// many bytes it takes. Threads that need it at once wait for the first of them to make it.
    pub fn held_or_made(&self, key: &[u8], make: impl FnOnce() -> (T, usize)) -> T {
        if let Some(value) = self.held(key) {
            return value;
        }
        let counted = self.held.get_or_insert_with(key, || {
            let (value, bytes) = make();
            Ok::<_, Infallible>(Counted { value, bytes })
        });
        match counted {
            Ok(counted) => counted.value,
            Err(never) => match never {},
        }
    }

    /// How many bytes it holds.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.held.weight()
    }
}

impl<T: Clone> fmt::Debug for BoundedCache<T> {
    /// How much it holds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundedCache")
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

fn options(bytes_max: u64) -> Options {
    let shards = (bytes_max / SHARD_BYTES).clamp(1, SHARDS_MAX);
    let usual_entries = bytes_max / USUAL_ENTRY_BYTES;
    let options = OptionsBuilder::new()
        .estimated_items_capacity(usize::try_from(usual_entries).unwrap_or(usize::MAX))
        .weight_capacity(bytes_max)
        .shards(usize::try_from(shards).unwrap_or(1))
        .build();
    options.expect("both capacities are set")
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUE_BYTES: usize = 1000;

    /// Asks for a number; true where it had to be made.
    fn makes(cache: &BoundedCache<usize>, number: usize) -> bool {
        let mut is_made = false;
        let value = cache.held_or_made(number.to_string().as_bytes(), || {
            is_made = true;
            (number, VALUE_BYTES)
        });
        assert_eq!(value, number);
        is_made
    }

    #[test]
    fn what_is_held_is_not_made_again() {
        let cache = BoundedCache::new(BYTES_DEFAULT);
        for number in 0..10_000 {
            assert!(makes(&cache, number));
        }
        for number in (0..10_000).rev() {
            assert!(!makes(&cache, number));
        }
        assert!(cache.bytes() >= 10_000 * VALUE_BYTES as u64);
    }

    #[test]
    fn it_never_holds_more_than_it_may() {
        let bytes_max = 1 << 20;
        let cache = BoundedCache::new(bytes_max);
        for number in 0..10_000 {
            assert!(makes(&cache, number));
            assert!(cache.bytes() <= bytes_max);
        }
        let again = (0..10_000).filter(|&number| makes(&cache, number)).count();
        assert!((9000..10_000).contains(&again), "{again}");
    }

    #[test]
    fn what_is_larger_than_the_cache_is_answered_all_the_same() {
        let cache = BoundedCache::new(0);
        assert!((0..100).all(|number| makes(&cache, number)));
        assert_eq!(cache.bytes(), 0);
        cache.hold(b"1", 1, usize::MAX);
        assert_eq!(cache.held(b"1"), None);
    }
}
