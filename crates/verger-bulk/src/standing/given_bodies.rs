//! `GivenBodies`: bodies that are given without what a server said.

use std::sync::Arc;

use verger_answer::rulebook::{Found, FoundCache, Rules};
use verger_filter::GivenRules;

use super::known_standing::{Standing, StandingRules};
use super::standing_source::{StandingSource, When};

/// Bodies by authority.
pub trait BodySource: Sync {
    /// The rules of the body of an authority; `None` where there is no body.
    ///
    /// # Errors
    ///
    /// A sentence, where it cannot be read.
    fn rules(&self, authority: &str) -> Result<Option<Rules>, String>;
}

impl BodySource for GivenRules {
    fn rules(&self, authority: &str) -> Result<Option<Rules>, String> {
        self.rules(authority)
    }
}

/// Bodies that are given without what a server said: one for all URLs, or one for each authority.
#[derive(Debug)]
pub enum GivenBodies<B> {
    /// One applies to all URLs.
    One(Arc<Found>),
    /// Each applies to its authority; rules are kept in bounded memory.
    ByAuthority(B, FoundCache),
}

impl<B: BodySource> StandingSource for GivenBodies<B> {
    fn standing(&self, authority: &str, _when: When) -> Arc<Standing> {
        let found = match self {
            Self::One(found) => Arc::clone(found),
            Self::ByAuthority(bodies, cache) => {
                cache.found(authority.as_bytes(), || match bodies.rules(authority) {
                    Ok(Some(rules)) => Found::Rules(rules),
                    Ok(None) => Found::NoBody,
                    Err(error) => Found::Unreadable(error),
                })
            }
        };
        Standing::always(StandingRules::Given(found))
    }

    fn of_all(&self) -> Option<Arc<Standing>> {
        match self {
            Self::One(found) => {
                let rules = StandingRules::Given(Arc::clone(found));
                Some(Standing::always(rules))
            }
            Self::ByAuthority(..) => None,
        }
    }

    fn profile(&self) -> Option<&str> {
        None
    }
}
