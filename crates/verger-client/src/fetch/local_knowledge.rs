//! `LocalKnowledge`: knowledge of a client that its store does not have.
//!
//! - Refusals by the client's own address guard. They are not facts about a site and are not
//!   stored.
//! - Attempts that the store failed to store.
//! - Fetches whose redirects were checked for the client's own crawler
//!   ([`RecordedChain::asks_about_hop`](verger_access::RecordedChain::asks_about_hop)). The store
//!   does not record the crawler.
//!
//! Answers come from here until they expire.

use http::HeaderValue;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use verger_access::{Attempt, Authority, Profile, RecordedChain};

use crate::fetch::known::Known;

/// Approximate maximum size, in bytes.
const BYTES_MAX: u64 = 8 << 20;

/// Estimated number of entries, used to size the table.
const USUAL_ENTRIES: usize = 1 << 10;

/// Overhead of an entry in bytes: the copy's validators and the cache's own entries.
const ENTRY_BYTES: usize = 1 << 10;

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
        let urls = known
            .urls
            .iter()
            .map(|url| size_of_val(url) + url.as_str().len());
        (size_of::<Known>() + ENTRY_BYTES + 2 * name + body + urls.sum::<usize>()) as u64
    }
}

impl LocalKnowledge {
    pub(crate) fn new() -> Self {
        let options = OptionsBuilder::new()
            .estimated_items_capacity(USUAL_ENTRIES)
            .weight_capacity(BYTES_MAX)
            // A single shard, because every body must fit.
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

    pub(crate) fn hold(&self, authority: &Authority, known: &Known) {
        let known = Known {
            fetched: None,
            ..known.clone()
        };
        self.0.insert(authority.clone(), known);
    }

    /// Keeps an attempt that is valid only for the client's crawler. Any other attempt removes the
    /// authority's entry.
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
