use std::path::Path;

use url::Url;
use verger_access::{Answer, Authority, Knowledge, Profile, RestOfSite, Timestamp};
use verger_answer::ReadError;
use verger_store::{SnapshotId, Store, StoreError, state_under};

/// Fetches robots.txt files and reads the files of their owners.
pub trait SiteFetcher: Sync {
    /// Fetches a site now, unless another process has put a newer snapshot than `seen` into the store.
    ///
    /// # Errors
    ///
    /// Returns an error if the site cannot be fetched.
    fn fetch(&self, site: &Authority, seen: Option<SnapshotId>) -> Result<FetchedSite, ReadError>;

    /// Reads a file of the owner.
    ///
    /// # Errors
    ///
    /// Returns an error, which names the file, if it cannot be read.
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError>;

    /// Reads a sitemap. By default none can be read.
    ///
    /// # Errors
    ///
    /// Returns an error if the sitemap cannot be read.
    fn sitemap(&self, _url: &Url) -> Result<Vec<u8>, ReadError> {
        Err("sitemaps are not read".into())
    }
}

/// The result of a fetch.
#[derive(Clone, Debug)]
pub struct FetchedSite {
    /// The answer.
    pub answer: Answer,
    /// Description of the outcome.
    pub outcome: String,
    /// When the fetch attempt ended.
    pub at: Timestamp,
    /// When the first of the failures in a row ended, if the site is unreachable.
    pub unreachable_since: Option<Timestamp>,
    /// The snapshot in the store, if the store has accepted it.
    pub snapshot: Option<SnapshotId>,
}

impl FetchedSite {
    /// Returns the result of a fetch from the knowledge after it. `now` is the time of an answer that
    /// is not from a fetch.
    #[must_use]
    pub fn new(
        answer: Answer,
        knowledge: &Knowledge,
        snapshot: Option<SnapshotId>,
        now: Timestamp,
    ) -> Self {
        let last = knowledge.last.as_ref();
        Self {
            outcome: last.map(|it| it.outcome.to_string()).unwrap_or_default(),
            at: last.map_or(now, |it| it.at),
            unreachable_since: knowledge.streak.map(|it| it.first_at),
            snapshot,
            answer,
        }
    }

    /// Returns what the store has of a site, if anything.
    pub(crate) fn stored(
        store: &dyn Store,
        site: &Authority,
        profile: &Profile,
        now: Timestamp,
    ) -> Result<Option<Self>, StoreError> {
        // The last one put, even if its clock was ahead of this one.
        let Some(latest) = store.latest(site)? else {
            return Ok(None);
        };
        let until = now.max(latest.snapshot.attempt.at);
        let state = state_under(store, latest, profile, until)?;
        Ok(state.map(|state| {
            let at = state.snapshot.attempt.at;
            Self {
                answer: state.knowledge.answer(profile, at, RestOfSite::default()),
                outcome: state.snapshot.attempt.outcome.to_string(),
                at,
                unreachable_since: state.knowledge.streak.map(|it| it.first_at),
                snapshot: Some(state.snapshot.id),
            }
        }))
    }
}
