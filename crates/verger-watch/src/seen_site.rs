use std::sync::Arc;

use verger_access::{Authority, Timestamp};
use verger_answer::ResolvedCrawler;
use verger_owner::ClaimFile;
use verger_store::SnapshotId;

use crate::seen_rules::SeenRules;

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
}

/// Claims, and the text that they were parsed from.
#[derive(Debug)]
pub(crate) struct ExpectedClaims {
    pub(crate) text: Arc<[u8]>,
    pub(crate) file: ClaimFile,
}
