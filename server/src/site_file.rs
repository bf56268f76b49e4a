//! `SiteFile`: the parsed file of a site for one crawler. `SiteFiles`: a cache of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use verger_access::{Jitter, Timestamp};
use verger_answer::AuthorityFile;
use verger_inputs::rulebook::BoundedCache;

#[derive(Debug)]
pub(crate) struct SiteFile {
    pub(crate) known: AuthorityFile,
    made_at: Timestamp,
    /// The time from which a file in use is renewed.
    renew_at: Option<Timestamp>,
    is_renewed: AtomicBool,
}

impl SiteFile {
    pub(crate) fn new(known: AuthorityFile, made_at: Timestamp) -> Self {
        let state = known.lookup.state.as_ref();
        let renew_at = state.and_then(|it| it.answer.refresh_at(it.seen_at?, Jitter::NONE));
        Self {
            renew_at,
            known,
            made_at,
            is_renewed: AtomicBool::new(false),
        }
    }

    /// Returns whether the file is fresh and no fetch is due.
    pub(crate) fn holds(&self, now: Timestamp) -> bool {
        self.made_at <= now && self.known.holds(now)
    }

    pub(crate) fn snapshot(&self) -> Option<u64> {
        self.known.lookup.state.as_ref()?.snapshot
    }

    /// Returns true to the first caller after the renewal time, who must renew the file.
    pub(crate) fn begins_renewal(&self, now: Timestamp) -> bool {
        self.renew_at.is_some_and(|at| at <= now) && !self.is_renewed.swap(true, Ordering::Relaxed)
    }
}

/// A cache of files by crawler and authority, in bounded memory.
#[derive(Debug)]
pub(crate) struct SiteFiles(BoundedCache<Arc<SiteFile>>);

impl SiteFiles {
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
