//! `RuleSource`: the rules for a URL: one body for all, or one for each authority.

use std::sync::Arc;

use verger_answer::rulebook::{Compared, Found, FoundCache, NoAuthority, UrlAuthority};

use super::bodies_read::{BodiesRead, ReadAgain};
use crate::given_bodies::{Bodies, PolicyMaker};

/// Rules for all URLs of a run.
pub(super) enum RuleSource {
    /// One body applies to all URLs.
    One(Arc<Found>),
    /// Each body applies to its authority.
    ByAuthority(Box<RulesByAuthority>),
}

/// Bodies by authority, and the rules made of them.
pub(super) struct RulesByAuthority {
    bodies: Bodies,
    maker: PolicyMaker,
    cache: FoundCache,
    bodies_read: BodiesRead,
}

impl RulesByAuthority {
    /// Rules by authority; those that are kept take up to `octets_max` in all.
    pub(super) fn of(bodies: Bodies, maker: PolicyMaker, octets_max: u64) -> Self {
        Self {
            bodies,
            maker,
            cache: FoundCache::new(octets_max),
            bodies_read: BodiesRead::default(),
        }
    }

    fn found(&self, authority: &str) -> Arc<Found> {
        self.cache
            .found(authority.as_bytes(), || self.made(authority))
    }

    fn made(&self, authority: &str) -> Found {
        match self.bodies.body(authority) {
            Ok(Some(body)) => {
                self.bodies_read.count(authority);
                Found::Rules(self.maker.rules(body, authority))
            }
            Ok(None) => Found::NoBody,
            Err(error) => Found::Unreadable(error),
        }
    }
}

impl RuleSource {
    /// How many bodies were read again, if any was.
    pub(super) fn read_again(&self) -> Option<ReadAgain> {
        match self {
            Self::One(_) => None,
            Self::ByAuthority(rules) => rules.bodies_read.again(),
        }
    }
}

/// What a rule source has for the URL that was looked up last: URLs of one authority often come
/// together.
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
            found: match rule_source {
                RuleSource::One(found) => Arc::clone(found),
                RuleSource::ByAuthority(_) => Arc::new(Found::NoBody),
            },
        }
    }

    /// What applies to `url`.
    ///
    /// # Errors
    ///
    /// Where bodies are looked up by authority, and it has none.
    pub(super) fn found(&mut self, url: &[u8]) -> Result<&Found, NoAuthority> {
        if let RuleSource::ByAuthority(rules) = self.rule_source
            && self.authority.read(url)? == Compared::Other
        {
            self.found = rules.found(self.authority.name());
        }
        Ok(&self.found)
    }

    /// The authority of the last URL, as `scheme://host:port`.
    pub(super) fn authority(&self) -> &str {
        self.authority.name()
    }
}
