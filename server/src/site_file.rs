//! `SiteFile`: what is known of a site, read for one crawler; `SiteFiles`: those in bounded memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use verger_access::{AccessResult, Timestamp};
use verger_answer::rulebook::BoundedCache;
use verger_answer::{AuthorityFile, AuthorityLookup};

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
pub(crate) struct SiteFiles(BoundedCache<Arc<SiteFile>>);

impl SiteFiles {
    /// A cache of at most so many bytes.
    pub(crate) fn new(bytes_max: u64) -> Self {
        Self(BoundedCache::new(bytes_max))
    }

    pub(crate) fn get(&self, key: &str, now: Timestamp) -> Option<Arc<SiteFile>> {
        self.0.held(key.as_bytes()).filter(|site| site.holds(now))
    }

    pub(crate) fn insert(&self, key: &str, site: Arc<SiteFile>) {
        let bytes = size_of::<SiteFile>() + site.known.heap_bytes();
        self.0.hold(key.as_bytes(), site, bytes);
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}
