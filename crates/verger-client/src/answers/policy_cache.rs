//! `PolicyCache`: compiled answers by crawler and authority, in bounded memory.

use core::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::{Cache, DefaultLifecycle, EntryAction};
use quick_cache::{DefaultHashBuilder, Equivalent, Options, OptionsBuilder, Weighter};
use verger::{Crawler, allocated_bytes};
use verger_store::UnpoisonedMutex;

use crate::answers::held_policy::HeldPolicy;

/// Overhead of an entry in the cache's own tables, in bytes: its slot with key and queue links,
/// about two hash table slots, and half a slot of an evicted entry (ghost).
const ENTRY_BYTES: usize = 96;

/// Size of a shard, in bytes. Each shard has its own lock.
const SHARD_BYTES: u64 = 32 << 20;

const SHARDS_MAX: u64 = 64;

/// Estimated size of an entry in bytes, used to size the table.
const USUAL_ENTRY_BYTES: u64 = 1 << 10;

/// Maximum number of recent crawlers that entries can share.
const CRAWLERS_MAX: usize = 64;

pub(crate) struct PolicyCache {
    held: Cache<Key, Arc<HeldPolicy>, Bytes>,
    crawlers: UnpoisonedMutex<Vec<Arc<Crawler>>>,
}

#[derive(Clone, Debug)]
struct Key {
    crawler: Arc<Crawler>,
    /// Size of the crawler if this entry was the first to use it, otherwise 0.
    crawler_bytes: u32,
    authority: Box<str>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.authority == other.authority && self.crawler == other.crawler
    }
}

impl Eq for Key {}

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

#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Arc<HeldPolicy>> for Bytes {
    fn weight(&self, key: &Key, held: &Arc<HeldPolicy>) -> u64 {
        let name = allocated_bytes(key.authority.len());
        (ENTRY_BYTES + name + key.crawler_bytes as usize + held.bytes()) as u64
    }
}

impl PolicyCache {
    /// Creates a cache of at most `bytes_max` bytes. An entry larger than its shard is not cached.
    pub(crate) fn new(bytes_max: u64) -> Self {
        let lifecycle = DefaultLifecycle::default();
        let hashes = DefaultHashBuilder::default();
        Self {
            held: Cache::with_options(options(bytes_max), Bytes, hashes, lifecycle),
            crawlers: UnpoisonedMutex::default(),
        }
    }

    pub(crate) fn held(&self, crawler: &Crawler, authority: &str) -> Option<Arc<HeldPolicy>> {
        let held = self.held.get(&KeyRef { crawler, authority })?;
        if held.has_grown() {
            return Some(self.recounted(crawler, authority, &held));
        }
        Some(held)
    }

    /// Returns the same answer, measured with the tables that lookups have built. It replaces the
    /// entry if that is still in the cache.
    fn recounted(
        &self,
        crawler: &Crawler,
        authority: &str,
        held: &Arc<HeldPolicy>,
    ) -> Arc<HeldPolicy> {
        let counted = Arc::new(held.recounted());
        let key = Key {
            crawler: self.shared(crawler).0,
            crawler_bytes: 0,
            authority: authority.into(),
        };
        // The entry keeps its own key. If another thread is working on it, the next lookup
        // measures.
        let at_once = Some(Duration::ZERO);
        self.held.entry(&key, at_once, |_, entry| {
            if Arc::ptr_eq(entry, held) {
                *entry = Arc::clone(&counted);
            }
            EntryAction::Retain(())
        });
        counted
    }

    pub(crate) fn hold(&self, crawler: &Crawler, authority: &str, held: Arc<HeldPolicy>) {
        let (crawler, crawler_bytes) = self.shared(crawler);
        let key = Key {
            crawler,
            crawler_bytes,
            authority: authority.into(),
        };
        self.held.insert(key, held);
    }

    /// Removes all answers about `authority`. Visits every entry.
    pub(crate) fn forget(&self, authority: &str) {
        self.held.retain(|key, _| *key.authority != *authority);
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.held.weight()
    }

    pub(crate) fn entries(&self) -> usize {
        self.held.len()
    }

    /// Returns the shared crawler, and its size in bytes if it is new.
    fn shared(&self, crawler: &Crawler) -> (Arc<Crawler>, u32) {
        let mut crawlers = self.crawlers.lock();
        if let Some(shared) = crawlers.iter().find(|it| ***it == *crawler) {
            return (Arc::clone(shared), 0);
        }
        let shared = Arc::new(crawler.clone());
        crawlers.truncate(CRAWLERS_MAX - 1);
        crawlers.insert(0, Arc::clone(&shared));
        let bytes = u32::try_from(bytes(&shared)).unwrap_or(u32::MAX);
        (shared, bytes)
    }
}

fn bytes(crawler: &Crawler) -> usize {
    allocated_bytes(2 * size_of::<usize>() + size_of::<Crawler>()) + crawler.heap_bytes()
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
