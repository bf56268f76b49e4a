//! `BoundedCache`: a cache of bounded size, shared by all threads.
//!
//! It counts the bytes of its entries. The client has a similar cache with other keys and removal
//! by authority.

use std::convert::Infallible;
use std::fmt;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, Options, OptionsBuilder, Weighter};
use verger::allocated_bytes;

/// Default size of a cache: 256 MiB.
pub const BYTES_DEFAULT: u64 = 256 << 20;

/// Overhead per entry in bytes, as the client counts it.
const ENTRY_BYTES: usize = 96;

/// Size of a shard. Shards have separate locks, and larger entries are not cached.
const SHARD_BYTES: u64 = 32 << 20;

/// Maximum number of shards.
const SHARDS_MAX: u64 = 64;

/// Typical size of an entry, used to size the table.
const USUAL_ENTRY_BYTES: u64 = 1 << 10;

/// A cache from keys, such as authorities, to values.
pub struct BoundedCache<T> {
    held: Cache<Vec<u8>, Counted<T>, Bytes>,
}

#[derive(Clone)]
struct Counted<T> {
    value: T,
    bytes: usize,
}

#[derive(Clone)]
struct Bytes;

impl<T> Weighter<Vec<u8>, Counted<T>> for Bytes {
    fn weight(&self, key: &Vec<u8>, counted: &Counted<T>) -> u64 {
        let key = allocated_bytes(key.capacity());
        (ENTRY_BYTES + key).saturating_add(counted.bytes) as u64
    }
}

impl<T: Clone> BoundedCache<T> {
    /// Creates a cache of at most `bytes_max` bytes.
    #[must_use]
    pub fn new(bytes_max: u64) -> Self {
        let lifecycle = DefaultLifecycle::default();
        let hashes = DefaultHashBuilder::default();
        Self {
            held: Cache::with_options(options(bytes_max), Bytes, hashes, lifecycle),
        }
    }

    /// Returns the value for `key`, if cached.
    #[must_use]
    pub fn held(&self, key: &[u8]) -> Option<T> {
        self.held.get(key).map(|counted| counted.value)
    }

    /// Stores a value of this size, replacing any previous one.
    pub fn hold(&self, key: &[u8], value: T, bytes: usize) {
        let counted = Counted { value, bytes };
        self.held.insert(key.to_owned(), counted);
    }

    /// Returns the value for `key`, or stores the value and size that `make` returns. Concurrent
    /// callers wait for the first one.
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

    /// Returns the size of all entries in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.held.weight()
    }
}

impl<T: Clone> fmt::Debug for BoundedCache<T> {
    /// Writes only the size.
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

    /// Returns whether the number had to be made.
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
