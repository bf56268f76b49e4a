//! `RuleSource`: the rules for a URL, from one body for all URLs or from one per authority.

use std::sync::Arc;

use crate::rulebook::{Compared, Found, FoundCache, NoAuthority, Rules, UrlAuthority};

use super::bodies_read::{BodiesRead, BodiesReadAgain};
use crate::given::GivenRules;

/// The rules for all URLs of a run.
#[derive(Debug)]
pub struct RuleSource(Source);

#[derive(Debug)]
enum Source {
    /// One body applies to all URLs.
    One(Arc<Found>),
    /// Each body applies to its authority.
    ByAuthority(Box<RulesByAuthority>),
}

/// Rules by authority with a cache, and a count of the bodies that were read.
#[derive(Debug)]
struct RulesByAuthority {
    rules: GivenRules,
    cache: FoundCache,
    bodies_read: BodiesRead,
}

impl RulesByAuthority {
    fn found(&self, authority: &str) -> Arc<Found> {
        self.cache
            .found(authority.as_bytes(), || self.made(authority))
    }

    fn made(&self, authority: &str) -> Found {
        match self.rules.rules(authority) {
            Ok(Some(rules)) => {
                self.bodies_read.count(authority);
                Found::Rules(rules)
            }
            Ok(None) => Found::NoBody,
            Err(error) => Found::Unreadable(error),
        }
    }
}

impl RuleSource {
    /// Applies one body to all URLs.
    #[must_use]
    pub fn one(rules: Rules) -> Self {
        Self(Source::One(Arc::new(Found::Rules(rules))))
    }

    /// Applies each body to its authority. The cache holds up to `bytes_max` bytes of rules.
    #[must_use]
    pub fn by_authority(rules: GivenRules, bytes_max: u64) -> Self {
        Self(Source::ByAuthority(Box::new(RulesByAuthority {
            rules,
            cache: FoundCache::new(bytes_max),
            bodies_read: BodiesRead::default(),
        })))
    }

    /// Returns the rules for the URLs of an authority.
    #[must_use]
    pub fn found(&self, authority: &str) -> Arc<Found> {
        match &self.0 {
            Source::One(found) => Arc::clone(found),
            Source::ByAuthority(rules) => rules.found(authority),
        }
    }

    /// Returns the rules for all URLs, if there is one body.
    #[must_use]
    pub fn of_all(&self) -> Option<&Arc<Found>> {
        match &self.0 {
            Source::One(found) => Some(found),
            Source::ByAuthority(_) => None,
        }
    }

    /// Returns the number of bodies that were read again because their rules had left the cache, or
    /// `None` if it is zero.
    #[must_use]
    pub fn read_again(&self) -> Option<BodiesReadAgain> {
        match &self.0 {
            Source::One(_) => None,
            Source::ByAuthority(rules) => rules.bodies_read.again(),
        }
    }
}

/// The rules for the last URL. They are kept because URLs of an authority often come together.
pub(super) struct RulesLookup<'r> {
    rule_source: &'r RuleSource,
    authority: UrlAuthority,
    found: Arc<Found>,
}

impl<'r> RulesLookup<'r> {
    pub(super) fn of(rule_source: &'r RuleSource) -> Self {
        Self {
            rule_source,
            authority: UrlAuthority::default(),
            found: match rule_source.of_all() {
                Some(found) => Arc::clone(found),
                None => Arc::new(Found::NoBody),
            },
        }
    }

    /// Returns what applies to `url`.
    ///
    /// # Errors
    ///
    /// Returns an error if bodies are looked up by authority and the URL has none.
    pub(super) fn found(&mut self, url: &[u8]) -> Result<&Found, NoAuthority> {
        if let Source::ByAuthority(rules) = &self.rule_source.0
            && self.authority.read(url)? == Compared::Other
        {
            self.found = rules.found(self.authority.name());
        }
        Ok(&self.found)
    }

    /// Returns the authority of the last URL, as `scheme://host:port`.
    pub(super) fn authority(&self) -> &str {
        self.authority.name()
    }
}
