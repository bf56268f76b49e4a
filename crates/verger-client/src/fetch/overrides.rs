//! `Overrides`: the operator's own answers for sites, instead of their robots.txt. V-89.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use url::Url;
use verger_access::{Authority, Override};

/// The overrides in force, which may be replaced at any time.
#[derive(Default)]
pub(crate) struct Overrides(RwLock<HashMap<Authority, Override>>);

impl Overrides {
    pub(crate) fn new(overrides: HashMap<Authority, Override>) -> Self {
        Self(RwLock::new(overrides))
    }

    pub(crate) fn replace(&self, overrides: HashMap<Authority, Override>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = overrides;
    }

    pub(crate) fn of(&self, authority: &Authority) -> Option<Override> {
        let overrides = self.0.read().unwrap_or_else(PoisonError::into_inner);
        overrides.get(authority).cloned()
    }

    /// Returns the override of the site that a redirect from `authority` leads to.
    pub(crate) fn of_hop(&self, authority: &Authority, url: &Url) -> Option<Override> {
        let hop = Authority::from_parsed_url(url).ok()?;
        (hop != *authority).then(|| self.of(&hop)).flatten()
    }
}
