//! `LocalKnowledge`: knowledge of a client that is not in its store.
//!
//! - A refusal by the client's own address guard, which is no fact about a site and is not stored.
//! - An attempt that the store failed to store.
//! - A fetch whose redirects were checked for the client's own crawler
//!   ([`RecordedChain::asks_about_hop`](verger_access::RecordedChain::asks_about_hop)). It is in the
//!   store, but the store does not have the crawler.
//!
//! Answers come from here until they expire.

use http::HeaderValue;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use verger_access::{Attempt, Authority, Profile, RecordedChain};

use crate::fetch::known::Known;

/// About the bytes that it takes at most.
const BYTES_MAX: u64 = 8 << 20;

/// An estimate of the number of entries, for the size of the table.
const USUAL_ENTRIES: usize = 1 << 10;

/// Bytes that an entry takes beside its name and its body: validators of the copy, and the cache's
/// own entries.
const ENTRY_BYTES: usize = 1 << 10;

/// Knowledge beside the store, in bounded memory.
pub(crate) struct LocalKnowledge(Cache<Authority, Known, Bytes>);

#[derive(Clone)]
struct Bytes;

impl Weighter<Authority, Known> for Bytes {
    fn weight(&self, authority: &Authority, known: &Known) -> u64 {
        let copy = known.knowledge.copy.as_ref();
        let body = copy.map_or(0, |copy| {
            let validators = [&copy.entity_tag, &copy.last_modified];
            let validators = validators.into_iter().flatten().map(HeaderValue::len);
            copy.body.len() + copy.url.as_str().len() + validators.sum::<usize>()
        });
        let name = authority.robots_url().as_str().len();
        (size_of::<Known>() + ENTRY_BYTES + 2 * name + body) as u64
    }
}

impl LocalKnowledge {
    pub(crate) fn new() -> Self {
        let options = OptionsBuilder::new()
            .estimated_items_capacity(USUAL_ENTRIES)
            .weight_capacity(BYTES_MAX)
            // One shard, so that every body fits.
            .shards(1)
            .build()
            .expect("both capacities are set");
        let hashes = DefaultHashBuilder::default();
        let lifecycle = DefaultLifecycle::default();
        Self(Cache::with_options(options, Bytes, hashes, lifecycle))
    }

    pub(crate) fn known(&self, authority: &Authority) -> Option<Known> {
        self.0.get(authority)
    }

    /// Keeps knowledge, without the report of the fetch.
    pub(crate) fn hold(&self, authority: &Authority, known: &Known) {
        let known = Known {
            fetched: None,
            ..known.clone()
        };
        self.0.insert(authority.clone(), known);
    }

    /// Keeps the knowledge of an attempt that is valid for the client's crawler alone; after any other attempt removes
    /// the entry of the authority.
    pub(crate) fn hold_beside_store(
        &self,
        authority: &Authority,
        known: &Known,
        attempt: &Attempt,
        profile: &Profile,
    ) {
        let chain = RecordedChain {
            authority,
            hops: &attempt.hops,
            last: attempt.last,
            locations: &[],
        };
        if chain.asks_about_hop(profile) {
            self.hold(authority, known);
        } else {
            self.0.remove(authority);
        }
    }
}
