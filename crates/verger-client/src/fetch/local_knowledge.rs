//! `LocalKnowledge`: what a client knows beside its store.
//!
//! A refusal by the own address guard is no fact about a site and goes into no store; what a store
//! could not take goes into none either. Both are answered from here until they expire. So is a hop
//! that is disallowed to the own crawler, which a store has, but not for whom.

use http::HeaderValue;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use verger_access::Authority;

use crate::fetch::known::Known;

/// How many octets it takes at most, about.
const OCTETS_MAX: u64 = 8 << 20;

/// About how many entries that is, to make the table of the right size.
const USUAL_ENTRIES: usize = 1 << 10;

/// What an entry takes beside its name and its body: names twice over in key and URLs, headers that
/// validate a copy, and the places in the cache.
const ENTRY_OCTETS: usize = 1 << 10;

/// What is known beside the store, in a bounded number of octets.
pub(crate) struct LocalKnowledge(Cache<Authority, Known, Octets>);

#[derive(Clone)]
struct Octets;

impl Weighter<Authority, Known> for Octets {
    fn weight(&self, authority: &Authority, known: &Known) -> u64 {
        let copy = known.knowledge.copy.as_ref();
        let body = copy.map_or(0, |copy| {
            let validators = [&copy.entity_tag, &copy.last_modified];
            let validators = validators.into_iter().flatten().map(HeaderValue::len);
            copy.body.len() + copy.url.as_str().len() + validators.sum::<usize>()
        });
        let name = authority.robots_url().as_str().len();
        (size_of::<Known>() + ENTRY_OCTETS + 2 * name + body) as u64
    }
}

impl LocalKnowledge {
    pub(crate) fn new() -> Self {
        let options = OptionsBuilder::new()
            .estimated_items_capacity(USUAL_ENTRIES)
            .weight_capacity(OCTETS_MAX)
            // In one part, so that every body fits.
            .shards(1)
            .build()
            .expect("both capacities are set");
        let hashes = DefaultHashBuilder::default();
        let lifecycle = DefaultLifecycle::default();
        Self(Cache::with_options(options, Octets, hashes, lifecycle))
    }

    pub(crate) fn known(&self, authority: &Authority) -> Option<Known> {
        self.0.get(authority)
    }

    /// Holds what is known; the fetch that found it out is forgotten.
    pub(crate) fn hold(&self, authority: &Authority, known: &Known) {
        let known = Known {
            fetched: None,
            ..known.clone()
        };
        self.0.insert(authority.clone(), known);
    }

    /// Gives up what is held about an authority, since the store has it now; all but what it does not
    /// answer for every crawler.
    pub(crate) fn hold_beside(&self, authority: &Authority, known: &Known) {
        if known.is_of_crawler() {
            self.hold(authority, known);
        } else {
            self.0.remove(authority);
        }
    }
}
