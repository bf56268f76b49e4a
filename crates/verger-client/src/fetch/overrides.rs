//! `Overrides`: the operator's own answers for sites, instead of their robots.txt. V-89.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use url::Url;
use verger_access::{Authority, Override};

/// The overrides in force, which may be replaced at any time.
#[derive(Default)]
pub(crate) struct Overrides {
    by_site: RwLock<HashMap<Authority, Override>>,
    /// Whether there are overrides, so that a client without overrides parses and locks nothing.
    has_any: AtomicBool,
    /// Counts how often they were replaced.
    number: AtomicU64,
}

impl Overrides {
    pub(crate) fn new(overrides: HashMap<Authority, Override>) -> Self {
        Self {
            has_any: AtomicBool::new(!overrides.is_empty()),
            by_site: RwLock::new(overrides),
            number: AtomicU64::new(0),
        }
    }

    pub(crate) fn replace(&self, overrides: HashMap<Authority, Override>) {
        let mut by_site = self.by_site.write().unwrap_or_else(PoisonError::into_inner);
        self.has_any.store(!overrides.is_empty(), Ordering::Release);
        *by_site = overrides;
        drop(by_site);
        self.number.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns a number that changes when they are replaced. A policy from before a change is not
    /// valid any more.
    pub(crate) fn number(&self) -> u64 {
        self.number.load(Ordering::Acquire)
    }

    fn has_any(&self) -> bool {
        self.has_any.load(Ordering::Acquire)
    }

    pub(crate) fn of(&self, authority: &Authority) -> Option<Override> {
        if !self.has_any() {
            return None;
        }
        let overrides = self.by_site.read().unwrap_or_else(PoisonError::into_inner);
        overrides.get(authority).cloned()
    }

    /// Returns the override of the site of a URL.
    pub(crate) fn of_url(&self, url: &Url) -> Option<Override> {
        if !self.has_any() {
            return None;
        }
        self.of(&Authority::from_parsed_url(url).ok()?)
    }
}
