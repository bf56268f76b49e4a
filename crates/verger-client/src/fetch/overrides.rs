//! `Overrides`: the operator's own answers for sites.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use url::Url;
use verger::Crawler;
use verger_access::{Authority, HopVerdict, Override, Profile, SitePattern, Timestamp};

/// Overrides by the sites that they are for. If several name a site, the most specific applies: an
/// origin, then a host with a port, then a host. V-89.
#[derive(Clone, Debug, Default)]
pub struct Overrides(HashMap<SitePattern, Override>);

impl Overrides {
    /// Adds an override. It replaces an earlier one for the same sites.
    pub fn insert(&mut self, sites: SitePattern, given: Override) {
        self.0.insert(sites, given);
    }

    fn of(&self, authority: &Authority) -> Option<&Override> {
        if self.0.is_empty() {
            return None;
        }
        let patterns = SitePattern::all_of(authority);
        patterns.iter().rev().find_map(|sites| self.0.get(sites))
    }
}

impl Extend<(SitePattern, Override)> for Overrides {
    fn extend<T: IntoIterator<Item = (SitePattern, Override)>>(&mut self, given: T) {
        self.0.extend(given);
    }
}

/// The overrides in force, which may be replaced at any time.
pub(crate) struct OverridesInForce(RwLock<Overrides>);

impl OverridesInForce {
    pub(crate) fn new(overrides: Overrides) -> Self {
        Self(RwLock::new(overrides))
    }

    pub(crate) fn replace(&self, overrides: Overrides) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = overrides;
    }

    pub(crate) fn of(&self, authority: &Authority) -> Option<Override> {
        let overrides = self.0.read().unwrap_or_else(PoisonError::into_inner);
        overrides.of(authority).cloned()
    }

    /// Returns the override of the site that a redirect from `authority` leads to.
    pub(crate) fn of_hop(&self, authority: &Authority, url: &Url) -> Option<Override> {
        let hop = Authority::from_parsed_url(url).ok()?;
        (hop != *authority).then(|| self.of(&hop)).flatten()
    }
}

/// Returns the override that ends a redirect chain at `url`, where `given` applies. It answers for
/// its own robots.txt. Another URL is fetched if it allows that, and closes if not.
pub(crate) fn end_at(
    given: Override,
    url: &Url,
    (crawler, profile, now): (&Crawler, &Profile, Timestamp),
) -> Option<Override> {
    if Authority::from_robots_url(url.as_str()).is_some() {
        return Some(given);
    }
    let verdict = HopVerdict::new(&given.answer(profile, now), crawler, url);
    (verdict != HopVerdict::Allowed).then_some(Override::Closed)
}
