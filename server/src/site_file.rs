//! `SiteFile`: what is known of a site, read for one crawler; `SiteFiles`: those in bounded memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use verger::allocated_octets;
use verger_access::{AccessResult, Timestamp};
use verger_answer::{AuthorityFile, AuthorityLookup};

/// What a file takes beside what its parts count, about: its place in the cache.
const FILE_OCTETS: usize = 256;

/// The part of a lifetime after which a file in use is renewed.
const AHEAD_TENTHS: u64 = 9;

/// What is known of a site, read for one crawler.
#[derive(Debug)]
pub(crate) struct SiteFile {
    pub(crate) known: AuthorityFile,
    made_at: Timestamp,
    /// When it is renewed, where it is in use then.
    renew_at: Option<Timestamp>,
    is_renewed: AtomicBool,
}

impl SiteFile {
    pub(crate) fn new(known: AuthorityFile, made_at: Timestamp) -> Self {
        Self {
            renew_at: renew_at(&known.lookup),
            known,
            made_at,
            is_renewed: AtomicBool::new(false),
        }
    }

    /// Whether it is valid now, and no fetch is due.
    pub(crate) fn holds(&self, now: Timestamp) -> bool {
        self.made_at <= now && self.known.holds(now)
    }

    /// The snapshot that it is of.
    pub(crate) fn snapshot(&self) -> Option<u64> {
        self.known.lookup.state.as_ref()?.snapshot
    }

    /// Whether the caller is to renew it: the first one that asks when it is time.
    pub(crate) fn begins_renewal(&self, now: Timestamp) -> bool {
        self.renew_at.is_some_and(|at| at <= now) && !self.is_renewed.swap(true, Ordering::Relaxed)
    }
}

/// While an authority is unreachable nothing is renewed: a retry must not be early.
fn renew_at(lookup: &AuthorityLookup) -> Option<Timestamp> {
    let state = lookup.state.as_ref()?;
    let answer = &state.answer;
    let is_reachable = matches!(
        answer.access_result(),
        Some(AccessResult::Successful(_) | AccessResult::Unavailable(_))
    );
    let lifetime = answer.ask_again_at().since(state.seen_at).as_secs();
    let ahead = Duration::from_secs(lifetime / 10 * AHEAD_TENTHS);
    is_reachable.then(|| state.seen_at.after(ahead))
}

/// Files by crawler and authority, in bounded memory.
#[derive(Debug)]
pub(crate) struct SiteFiles {
    held: Cache<Box<str>, Arc<SiteFile>, Octets>,
}

#[derive(Clone, Debug)]
struct Octets;

impl Weighter<Box<str>, Arc<SiteFile>> for Octets {
    fn weight(&self, key: &Box<str>, site: &Arc<SiteFile>) -> u64 {
        let file = FILE_OCTETS + size_of::<SiteFile>() + site.known.heap_octets();
        (file + allocated_octets(key.len())) as u64
    }
}

impl SiteFiles {
    /// A cache of at most so many octets.
    pub(crate) fn new(octets_max: u64) -> Self {
        let usual = usize::try_from(octets_max / 8192).unwrap_or(usize::MAX);
        Self {
            held: Cache::with_weighter(usual.clamp(64, 1 << 20), octets_max, Octets),
        }
    }

    pub(crate) fn get(&self, key: &str, now: Timestamp) -> Option<Arc<SiteFile>> {
        self.held.get(key).filter(|site| site.holds(now))
    }

    pub(crate) fn insert(&self, key: &str, site: Arc<SiteFile>) {
        self.held.insert(key.into(), site);
    }

    pub(crate) fn octets(&self) -> u64 {
        self.held.weight()
    }
}
