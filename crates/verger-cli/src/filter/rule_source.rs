//! `RuleSource`: the rules for a URL: one body for all, or one for each authority.

use std::sync::Arc;

use verger::{Crawler, Policy, Reading, RobotsTxt};

use super::policy_cache::PolicyCache;
use super::robots_directory::RobotsDirectory;
use super::robots_list::RobotsList;
use super::url_authority::{Compared, NoAuthority, UrlAuthority};

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
    cache: PolicyCache<Found>,
}

/// Bodies by authority.
pub(super) enum Bodies {
    Directory(RobotsDirectory),
    List(RobotsList),
}

/// What decides about a URL.
pub(super) enum Found {
    /// Rules.
    Rules(Box<Rules>),
    /// No body.
    NoBody,
    /// A body that cannot be read, and why.
    Unreadable(String),
}

/// The rules of a body for the crawler of a run.
pub(super) struct Rules {
    pub(super) policy: Policy,
    /// The body, where its lines are shown.
    pub(super) robots: Option<RobotsTxt>,
}

/// Makes rules out of bodies.
pub(super) struct PolicyMaker {
    pub(super) crawler: Crawler,
    pub(super) reading: Reading,
    pub(super) keeping: Keeping,
}

/// What is kept of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeping {
    /// The rules that apply to the crawler.
    Rules,
    /// The rules, and the lines as written.
    Lines,
}

impl Keeping {
    /// About how many octets it takes to keep what was made of a body: something for every body,
    /// and something for each of its octets (texts, comparison forms, places, an index).
    ///
    /// By these numbers 300,000 bodies of 440 to 24,000 octets take as much memory as they do.
    fn octets(self, body: &[u8]) -> usize {
        let (each_body, each_octet) = match self {
            Self::Rules => (ENTRY_OCTETS, 4),
            Self::Lines => (ENTRY_OCTETS + 256, 6),
        };
        each_body + body.len().saturating_mul(each_octet)
    }
}

/// About so many octets an entry of the cache takes, whatever is in it.
const ENTRY_OCTETS: usize = 768;

impl PolicyMaker {
    pub(super) fn rules(&self, body: Vec<u8>) -> Rules {
        let robots = RobotsTxt::parse(body, self.reading);
        Rules {
            policy: robots.policy(&self.crawler),
            robots: (self.keeping == Keeping::Lines).then_some(robots),
        }
    }
}

impl Bodies {
    fn body(&self, authority: &str) -> Result<Option<Vec<u8>>, String> {
        match self {
            Self::Directory(directory) => directory.body(authority),
            Self::List(list) => list.body(authority),
        }
    }
}

impl RulesByAuthority {
    /// Rules by authority, of which those are kept that take up to about `octets_max` in all.
    pub(super) fn of(bodies: Bodies, maker: PolicyMaker, octets_max: usize) -> Self {
        Self {
            bodies,
            maker,
            cache: PolicyCache::of(octets_max),
        }
    }

    fn found(&self, authority: &str) -> Arc<Found> {
        self.cache
            .look_up(authority.as_bytes(), || self.made(authority))
    }

    /// The rules for `authority`, and about how many octets they take in the cache.
    fn made(&self, authority: &str) -> (Found, usize) {
        let (found, octets) = match self.bodies.body(authority) {
            Ok(Some(body)) => {
                let octets = self.maker.keeping.octets(&body);
                (Found::Rules(Box::new(self.maker.rules(body))), octets)
            }
            Ok(None) => (Found::NoBody, ENTRY_OCTETS),
            Err(error) => {
                let octets = ENTRY_OCTETS + error.len();
                (Found::Unreadable(error), octets)
            }
        };
        (found, octets + authority.len())
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
