//! `PolicyCache`: compiled answers in memory, by crawler and authority, bounded by octets.

use core::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, Equivalent, Options, OptionsBuilder, Weighter};
use verger::{Crawler, allocated_octets};

use crate::answers::held_policy::HeldPolicy;

/// What an entry takes of the cache's tables: its place in the list of entries, which has its key
/// and the queue in it, about two places in the table, and half a place of an entry that was given
/// up and is remembered.
const ENTRY_OCTETS: usize = 96;

/// From so many octets on the cache is cut into parts that are locked apart.
const PART_OCTETS: u64 = 32 << 20;

/// Parts at most.
const PARTS_MAX: u64 = 64;

/// About what an entry takes, to make the table of the right size.
const USUAL_ENTRY_OCTETS: u64 = 1 << 10;

/// How many crawlers are remembered so that their entries share one.
const CRAWLERS_MAX: usize = 64;

/// Compiled answers by crawler and authority.
pub(crate) struct PolicyCache {
    held: Cache<Key, Arc<HeldPolicy>, Octets>,
    /// Those who asked lately.
    crawlers: Mutex<Vec<Arc<Crawler>>>,
}

#[derive(Clone, Debug)]
struct Key {
    crawler: Arc<Crawler>,
    /// What the crawler takes, where it is this entry that brought it.
    crawler_octets: u32,
    /// As an authority is displayed.
    authority: Box<str>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.authority == other.authority && self.crawler == other.crawler
    }
}

impl Eq for Key {}

/// A key that nobody owns yet.
struct KeyRef<'k> {
    crawler: &'k Crawler,
    authority: &'k str,
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            crawler, authority, ..
        } = self;
        KeyRef { crawler, authority }.hash(state);
    }
}

impl Hash for KeyRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.authority.hash(state);
        self.crawler.hash(state);
    }
}

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self.authority == *key.authority && *self.crawler == *key.crawler
    }
}

/// Counts an entry by its octets.
#[derive(Clone)]
struct Octets;

impl Weighter<Key, Arc<HeldPolicy>> for Octets {
    fn weight(&self, key: &Key, held: &Arc<HeldPolicy>) -> u64 {
        let name = allocated_octets(key.authority.len());
        (ENTRY_OCTETS + name + key.crawler_octets as usize + held.octets()) as u64
    }
}

impl PolicyCache {
    /// A cache of at most so many octets. What takes more than its part of them is not held.
    pub(crate) fn new(octets_max: u64) -> Self {
        let lifecycle = DefaultLifecycle::default();
        let hashes = DefaultHashBuilder::default();
        Self {
            held: Cache::with_options(options(octets_max), Octets, hashes, lifecycle),
            crawlers: Mutex::default(),
        }
    }

    /// The answer for `crawler` about `authority`, as an authority is displayed.
    pub(crate) fn held(&self, crawler: &Crawler, authority: &str) -> Option<Arc<HeldPolicy>> {
        self.held.get(&KeyRef { crawler, authority })
    }

    pub(crate) fn hold(&self, crawler: &Crawler, authority: &str, held: Arc<HeldPolicy>) {
        let (crawler, crawler_octets) = self.shared(crawler);
        let key = Key {
            crawler,
            crawler_octets,
            authority: authority.into(),
        };
        self.held.insert(key, held);
    }

    /// Gives up all answers about `authority`. It looks at every one that is held.
    pub(crate) fn forget(&self, authority: &str) {
        self.held.retain(|key, _| *key.authority != *authority);
    }

    pub(crate) fn octets(&self) -> u64 {
        self.held.weight()
    }

    pub(crate) fn entries(&self) -> usize {
        self.held.len()
    }

    /// One crawler for all entries of those who asked lately, and what it takes if it is new.
    fn shared(&self, crawler: &Crawler) -> (Arc<Crawler>, u32) {
        let mut crawlers = self.crawlers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shared) = crawlers.iter().find(|it| ***it == *crawler) {
            return (Arc::clone(shared), 0);
        }
        let shared = Arc::new(crawler.clone());
        crawlers.truncate(CRAWLERS_MAX - 1);
        crawlers.insert(0, Arc::clone(&shared));
        let octets = u32::try_from(octets(&shared)).unwrap_or(u32::MAX);
        (shared, octets)
    }
}

/// What a crawler takes behind an `Arc`.
fn octets(crawler: &Crawler) -> usize {
    let tokens = crawler.tokens();
    let texts = tokens
        .iter()
        .map(|token| allocated_octets(token.as_str().len()));
    allocated_octets(2 * size_of::<usize>() + size_of::<Crawler>())
        + allocated_octets(size_of_val(tokens))
        + texts.sum::<usize>()
}

fn options(octets_max: u64) -> Options {
    let parts = (octets_max / PART_OCTETS).clamp(1, PARTS_MAX);
    let usual_entries = octets_max / USUAL_ENTRY_OCTETS;
    let options = OptionsBuilder::new()
        .estimated_items_capacity(usize::try_from(usual_entries).unwrap_or(usize::MAX))
        .weight_capacity(octets_max)
        .shards(usize::try_from(parts).unwrap_or(1))
        .build();
    options.expect("both capacities are set")
}
