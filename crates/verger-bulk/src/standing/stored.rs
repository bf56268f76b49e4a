use std::sync::Arc;
use verger_answer::ReadError;

use verger_access::{Authority, Profile, Timestamp};
use verger_store::{Snapshot, SnapshotId, Store, StoreError, knowledge_under};

use super::access_source::{KnowledgeSource, KnownAt};
use super::known_standing::{CapturePlace, END_OF_TIME};
use super::standing_source::When;

/// The knowledge of a store at a time, as `verger check --at` uses it.
#[derive(Debug)]
pub struct StoredKnowledge<S: ?Sized> {
    store: Arc<S>,
}

impl<S: Store + ?Sized> StoredKnowledge<S> {
    /// Creates the knowledge of a store.
    #[must_use]
    pub fn new(store: Arc<S>) -> Self {
        Self { store }
    }

    fn next_after(&self, authority: &Authority, at: Timestamp) -> Result<Timestamp, StoreError> {
        let after = at.unix_seconds().saturating_add(1);
        let later = Timestamp::from_unix_seconds(after)..END_OF_TIME;
        let next = self
            .store
            .snapshots(authority, later, SnapshotId::BEFORE_ALL, 1)?;
        Ok(next.first().map_or(END_OF_TIME, |it| it.attempt.at))
    }

    fn read(
        &self,
        authority: &str,
        profile: &Profile,
        when: When,
    ) -> Result<Option<KnownAt>, StoreError> {
        let Ok(authority) = Authority::from_url(authority) else {
            return Ok(None);
        };
        let asked = match when {
            When::At(at) => at,
            When::Newest => END_OF_TIME,
        };
        let Some(state) = knowledge_under(&*self.store, &authority, profile, asked)? else {
            return Ok(None);
        };
        let at = match when {
            When::At(at) => at,
            When::Newest => state.snapshot.attempt.at,
        };
        let last = place_of(&state.snapshot);
        let copy = state.knowledge.copy.as_ref().map(|copy| CapturePlace {
            time_micros: micros(copy.validated_at),
            file: None,
            offset: None,
        });
        Ok(Some(KnownAt {
            until: self.next_after(&authority, at)?,
            knowledge: state.knowledge,
            at,
            last,
            copy,
            lacks_body: false,
        }))
    }
}

fn place_of(snapshot: &Snapshot) -> CapturePlace {
    CapturePlace {
        time_micros: micros(snapshot.attempt.at),
        file: None,
        offset: None,
    }
}

pub(super) fn micros(time: Timestamp) -> i64 {
    let seconds = i64::try_from(time.unix_seconds()).unwrap_or(i64::MAX);
    seconds.saturating_mul(1_000_000)
}

impl<S: Store + ?Sized> KnowledgeSource for StoredKnowledge<S> {
    fn known(
        &self,
        authority: &str,
        profile: &Profile,
        when: When,
    ) -> Result<Option<KnownAt>, ReadError> {
        self.read(authority, profile, when)
            .map_err(|error| error.to_string().into())
    }

    fn unknown_until(&self, authority: &str, at: Timestamp) -> Result<Timestamp, ReadError> {
        let Ok(authority) = Authority::from_url(authority) else {
            return Ok(END_OF_TIME);
        };
        let next = self.next_after(&authority, at);
        next.map_err(|error| error.to_string().into())
    }
}
