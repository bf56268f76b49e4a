//! `AuthorityCache`: values by authority, in bounded memory, shared by all threads.
//!
//! It is the cache of the command, for `filter` and `check`, and does what the client's does: entries
//! are counted by the octets that they take, in tables of `quick_cache`. The client's has keys of
//! authority and crawler, and forgets authorities.

use std::convert::Infallible;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, Options, OptionsBuilder, Weighter};
use verger::allocated_octets;

/// How many octets a cache takes unless an option says otherwise.
pub(crate) const OCTETS_DEFAULT: u64 = 256 << 20;

/// Octets that an entry takes in the cache's own tables, as the client counts them.
const ENTRY_OCTETS: usize = 96;

/// The size of a shard; shards are locked separately, and a larger entry is not cached.
const SHARD_OCTETS: u64 = 32 << 20;

/// The most shards.
const SHARDS_MAX: u64 = 64;

/// An estimate of the size of an entry, for the size of the table.
const USUAL_ENTRY_OCTETS: u64 = 1 << 10;

/// Values by authority.
pub(crate) struct AuthorityCache<T> {
    held: Cache<String, Counted<T>, Octets>,
}

/// A value and the octets that it takes.
#[derive(Clone)]
struct Counted<T> {
    value: T,
    octets: usize,
}

/// Counts an entry by its octets.
#[derive(Clone)]
struct Octets;

impl<T> Weighter<String, Counted<T>> for Octets {
    fn weight(&self, authority: &String, counted: &Counted<T>) -> u64 {
        let name = allocated_octets(authority.capacity());
        (ENTRY_OCTETS + name).saturating_add(counted.octets) as u64
    }
}

impl<T: Clone> AuthorityCache<T> {
    /// A cache of at most so many octets.
    pub(crate) fn new(octets_max: u64) -> Self {
        let lifecycle = DefaultLifecycle::default();
        let hashes = DefaultHashBuilder::default();
        Self {
            held: Cache::with_options(options(octets_max), Octets, hashes, lifecycle),
        }
    }

    /// Returns the value for `authority`, if it is held.
    pub(crate) fn held(&self, authority: &str) -> Option<T> {
        self.held.get(authority).map(|counted| counted.value)
    }

    /// Holds a value of so many octets, in place of the one before.
    pub(crate) fn hold(&self, authority: &str, value: T, octets: usize) {
        let counted = Counted { value, octets };
        self.held.insert(authority.to_owned(), counted);
    }

    /// Returns the value for `authority`, made by `make` where none is held; `make` also returns how
    /// many octets it takes. Threads that need it at once wait for the first of them to make it.
    pub(crate) fn held_or_made(&self, authority: &str, make: impl FnOnce() -> (T, usize)) -> T {
        if let Some(value) = self.held(authority) {
            return value;
        }
        let counted = self.held.get_or_insert_with(authority, || {
            let (value, octets) = make();
            Ok::<_, Infallible>(Counted { value, octets })
        });
        match counted {
            Ok(counted) => counted.value,
            Err(never) => match never {},
        }
    }

    #[cfg(test)]
    pub(crate) fn octets(&self) -> u64 {
        self.held.weight()
    }
}

fn options(octets_max: u64) -> Options {
    let shards = (octets_max / SHARD_OCTETS).clamp(1, SHARDS_MAX);
    let usual_entries = octets_max / USUAL_ENTRY_OCTETS;
    let options = OptionsBuilder::new()
        .estimated_items_capacity(usize::try_from(usual_entries).unwrap_or(usize::MAX))
        .weight_capacity(octets_max)
        .shards(usize::try_from(shards).unwrap_or(1))
        .build();
    options.expect("both capacities are set")
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUE_OCTETS: usize = 1000;

    /// Asks for a number; true where it had to be made.
    fn makes(cache: &AuthorityCache<usize>, number: usize) -> bool {
        let mut is_made = false;
        let value = cache.held_or_made(&number.to_string(), || {
            is_made = true;
            (number, VALUE_OCTETS)
        });
        assert_eq!(value, number);
        is_made
    }

    #[test]
    fn what_is_held_is_not_made_again() {
        let cache = AuthorityCache::new(OCTETS_DEFAULT);
        for number in 0..10_000 {
            assert!(makes(&cache, number));
        }
        for number in (0..10_000).rev() {
            assert!(!makes(&cache, number));
        }
        assert!(cache.octets() >= 10_000 * VALUE_OCTETS as u64);
    }

    #[test]
    fn it_never_holds_more_than_it_may() {
        let octets_max = 1 << 20;
        let cache = AuthorityCache::new(octets_max);
        for number in 0..10_000 {
            assert!(makes(&cache, number));
            assert!(cache.octets() <= octets_max);
        }
        let again = (0..10_000).filter(|&number| makes(&cache, number)).count();
        assert!((9000..10_000).contains(&again), "{again}");
    }

    #[test]
    fn what_is_larger_than_the_cache_is_answered_all_the_same() {
        let cache = AuthorityCache::new(0);
        assert!((0..100).all(|number| makes(&cache, number)));
        assert_eq!(cache.octets(), 0);
        cache.hold("1", 1, usize::MAX);
        assert_eq!(cache.held("1"), None);
    }
}
