use std::sync::Arc;

use verger_access::{AccessResult, Authority, Outcome, Profile, Timestamp};
use verger_answer::{ReadError, ResolvedCrawler};
use verger_owner::ClaimFile;
use verger_store::{BodyHash, SnapshotId};

use crate::seen_rules::SeenRules;
use crate::site_fetcher::FetchedSite;
use crate::watched_site::WatchedSite;

/// The observed state of a site, and the expectations of its owner.
#[derive(Clone, Debug)]
pub(crate) struct SeenSite {
    pub(crate) site: Authority,
    pub(crate) rules: SeenRules,
    pub(crate) outcome: Arc<str>,
    /// When the fetch attempt ended, and when its result was compared.
    pub(crate) at: Timestamp,
    pub(crate) time: Timestamp,
    /// Whether the last fetch got no reply.
    pub(crate) has_failed: bool,
    /// When the first of the failures in a row ended, if the site is unreachable.
    pub(crate) unreachable_since: Option<Timestamp>,
    /// The snapshot in the store, if the store has accepted it.
    pub(crate) snapshot: Option<SnapshotId>,
    /// The crawlers that matter.
    pub(crate) crawlers: Arc<[ResolvedCrawler]>,
    pub(crate) expected: Expected,
}

impl SeenSite {
    /// Interprets a fetch.
    ///
    /// # Errors
    ///
    /// Returns an error if the fetch failed for a reason that is not about the site.
    pub(crate) fn new(
        of: &WatchedSite,
        fetched: FetchedSite,
        expected: Expected,
        (profile, time): (&Profile, Timestamp),
    ) -> Result<Self, ReadError> {
        let outcome = fetched.answer.access_result().map(AccessResult::outcome);
        if outcome.is_some_and(|it| !it.is_about_the_site()) {
            let outcome = &fetched.outcome;
            return Err(format!("not fetched: {outcome}").into());
        }
        Ok(Self {
            site: of.site.clone(),
            rules: SeenRules::of(&fetched, profile),
            outcome: fetched.outcome.into(),
            at: fetched.at,
            time,
            has_failed: matches!(outcome, Some(Outcome::Failed(_))),
            unreachable_since: fetched.unreachable_since,
            snapshot: fetched.snapshot,
            crawlers: Arc::clone(&of.crawlers),
            expected,
        })
    }

    /// Returns whether the site is unreachable, and no rules apply meanwhile.
    pub(crate) fn is_outage(&self) -> bool {
        self.unreachable_since.is_some() && !self.rules.has_rules()
    }
}

/// The expectations, as the end of the receiver's name in the store.
pub(crate) const FILE: &str = "file";
pub(crate) const CLAIMS: &str = "claims";

/// The owner's expectations about the served file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected {
    /// The file to which it should be equivalent.
    pub(crate) file: Option<Arc<[u8]>>,
    pub(crate) claims: Option<Arc<ExpectedClaims>>,
}

impl Expected {
    pub(crate) fn is_nothing(&self) -> bool {
        self.file.is_none() && self.claims.is_none()
    }

    /// Returns the hash of each document, by expectation.
    pub(crate) fn documents(&self) -> [(&'static str, Option<BodyHash>); 2] {
        let file = self.file.as_deref();
        let claims = self.claims.as_ref().map(|it| &*it.text);
        [(FILE, file), (CLAIMS, claims)].map(|(name, text)| (name, text.map(BodyHash::new)))
    }
}

/// A document of the owner that took the place of another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replaced {
    /// The name of the expectation.
    pub(crate) name: &'static str,
    pub(crate) old: BodyHash,
    pub(crate) new: BodyHash,
}

/// Claims, and the text that they were parsed from.
#[derive(Debug)]
pub(crate) struct ExpectedClaims {
    pub(crate) text: Arc<[u8]>,
    pub(crate) file: ClaimFile,
}
