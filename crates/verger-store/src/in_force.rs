//! `InForce`: the answer of a profile about a site for a period. `in_force`: the periods of a history.

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;

use verger_access::{AccessResult, Answer, Authority, Knowledge, Profile, RestOfSite, Timestamp};

use crate::body_hash::BodyHash;
use crate::replay::state_under;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::store::Store;
use crate::store_error::StoreError;
use crate::stored_state::StoredState;

const END_OF_TIME: Timestamp = Timestamp::from_unix_seconds(u64::MAX);

/// The size of the first page. Many callers need one period.
const FIRST_PAGE_SNAPSHOTS: usize = 8;

const PAGE_SNAPSHOTS: usize = 128;

/// The answer of a profile about an authority for a period, and its basis. `E` is the evidence: a [`Snapshot`] in a
/// store, and something else in other histories of attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InForce<E = Snapshot> {
    /// The first second of the period.
    pub from: Timestamp,
    /// The first second after the period. Then the next attempt ended, or the answer changes without one.
    pub until: Timestamp,
    /// Whether the answer was observed or carried over.
    pub basis: Basis,
    /// The newest attempt until `from` that says something under the profile.
    pub evidence: E,
    /// The knowledge after that attempt.
    pub knowledge: Knowledge,
    /// The answer at `from`, whose stance and body apply for the whole period.
    pub answer: Answer,
}

/// How an answer came into force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// An attempt that ended at the start of the period reached the site.
    Observed,
    /// The site was not reached then, or no attempt ended then. The answer follows from earlier observations, if any.
    CarriedOver,
}

impl<E> InForce<E> {
    /// Concludes what `knowledge` means for `profile` from a time on, until its answer changes, at the latest until the
    /// next attempt ends.
    #[must_use]
    pub fn new(
        evidence: E,
        knowledge: Knowledge,
        profile: &Profile,
        from: Timestamp,
        next_attempt: Timestamp,
    ) -> Self {
        let answer = knowledge.answer(profile, from, RestOfSite::default());
        // The age of a copy from a clock that was ahead is unknown until that time.
        let copy_at = knowledge.copy.as_ref().map(|copy| copy.validated_at);
        let changes = copy_at.into_iter().chain([answer.holds_until()]);
        let changes = changes.filter(|change| *change > from);
        let is_new = knowledge.last.is_some_and(|last| last.at == from);
        let result = answer.access_result();
        let is_reached = result.is_some_and(|it| !matches!(it, AccessResult::Unreachable(_)));
        Self {
            from,
            until: changes.fold(next_attempt, Ord::min),
            basis: if is_new && is_reached {
                Basis::Observed
            } else {
                Basis::CarriedOver
            },
            evidence,
            knowledge,
            answer,
        }
    }
}

/// Returns what was in force about an authority under a profile at a time, or `None` if nothing relevant was known. Its
/// answer is that of this time. Its period ends when that answer changes without another attempt.
///
/// # Errors
///
/// Returns an error if the store fails.
pub fn in_force_at(
    store: &(impl Store + ?Sized),
    authority: &Authority,
    profile: &Profile,
    at: Timestamp,
) -> Result<Option<InForce>, StoreError> {
    let state = store.state_at(authority, at)?;
    let period = state.map(|state| InForce::of_state(store, state, profile, at));
    Ok(period.transpose()?.flatten())
}

impl InForce {
    /// Returns the period, under a profile, of the state that a store has for a time.
    pub(crate) fn of_state(
        store: &(impl Store + ?Sized),
        state: StoredState,
        profile: &Profile,
        at: Timestamp,
    ) -> Result<Option<Self>, StoreError> {
        let from = state.snapshot.attempt.at;
        let Some(state) = state_under(store, state, profile, at)? else {
            return Ok(None);
        };
        let (snapshot, knowledge) = (state.snapshot, state.knowledge);
        let mut period = Self::new(snapshot, knowledge, profile, from, END_OF_TIME);
        while period.until <= at && period.until < END_OF_TIME {
            let (snapshot, knowledge) = (period.evidence, period.knowledge);
            period = Self::new(snapshot, knowledge, profile, period.until, END_OF_TIME);
        }
        period.answer = (period.knowledge).answer(profile, at, RestOfSite::default());
        Ok(Some(period))
    }
}

/// Iterates over the periods of an authority under a profile, in the order of time, from the attempt in force at `since`
/// on. The last period never ends. The end of a period is the start of the next one, unless nothing was known in between.
///
/// At any time, the stance and the body are those of [`in_force_at`]. Every attempt begins a period. So does every
/// change of the answer by time alone, such as its expiry. Most histories are read in pages of 128 snapshots. If a clock
/// was ahead, all snapshots until that time are in memory together.
///
/// After an error of the store, the iterator ends.
pub fn in_force<'s, S: Store + ?Sized>(
    store: &'s S,
    authority: &Authority,
    profile: &'s Profile,
    since: Timestamp,
) -> impl Iterator<Item = Result<InForce, StoreError>> + use<'s, S> {
    Periods {
        store,
        authority: authority.clone(),
        profile,
        begins: Some(since),
        state: None,
        ahead: BTreeMap::new(),
        read_until: since.after(Duration::from_secs(1)),
        page_snapshots: FIRST_PAGE_SNAPSHOTS,
        body: None,
    }
}

struct Periods<'s, S: ?Sized> {
    store: &'s S,
    authority: Authority,
    profile: &'s Profile,
    /// The time at which the iteration begins, until it has begun.
    begins: Option<Timestamp>,
    /// The state in force, and when its next period begins.
    state: Option<(StoredState, Timestamp)>,
    /// All later snapshots that ended before `read_until`.
    ahead: BTreeMap<(Timestamp, SnapshotId), Snapshot>,
    read_until: Timestamp,
    page_snapshots: usize,
    /// The last body, which most attempts find again.
    body: Option<(BodyHash, Arc<[u8]>)>,
}

impl<S: Store + ?Sized> Periods<'_, S> {
    fn next_period(&mut self) -> Result<Option<InForce>, StoreError> {
        if let Some(since) = self.begins.take()
            && let Some(state) = self.store.state_at(&self.authority, since)?
        {
            self.enter(state)?;
        }
        loop {
            while self.ahead.is_empty() && self.read_until < END_OF_TIME {
                self.read_ahead()?;
            }
            let next = self.ahead.first_key_value();
            let next = next.map_or(END_OF_TIME, |((ended_at, _), _)| *ended_at);
            if let Some((state, from)) = self.state.take_if(|(_, from)| *from < next) {
                let (snapshot, knowledge) = (state.snapshot, state.knowledge);
                let period = InForce::new(snapshot, knowledge, self.profile, from, next);
                if period.until < next {
                    let state = StoredState {
                        snapshot: period.evidence.clone(),
                        knowledge: period.knowledge.clone(),
                    };
                    self.state = Some((state, period.until));
                }
                return Ok(Some(period));
            }
            let Some(((ended_at, _), mut snapshot)) = self.ahead.pop_first() else {
                return Ok(None);
            };
            // If several attempts ended within a second, the last one put is in force.
            while let Some(later) = self.ahead.first_entry()
                && later.key().0 == ended_at
            {
                snapshot = later.remove();
            }
            let knowledge = snapshot.knowledge(self.copy_of(&snapshot)?);
            self.enter(StoredState {
                snapshot,
                knowledge,
            })?;
        }
    }

    fn enter(&mut self, state: StoredState) -> Result<(), StoreError> {
        let kept = state.snapshot.copy.as_ref().map(|copy| copy.body.hash);
        let copy = state.knowledge.copy.as_ref();
        self.body = kept.zip(copy.map(|copy| Arc::clone(&copy.body)));
        let from = state.snapshot.attempt.at;
        let state = state_under(self.store, state, self.profile, from)?;
        self.state = state.map(|state| (state, from));
        Ok(())
    }

    fn copy_of(&self, snapshot: &Snapshot) -> Result<Option<Arc<[u8]>>, StoreError> {
        match (&snapshot.copy, &self.body) {
            (None, _) => Ok(None),
            (Some(copy), Some((hash, bytes))) if copy.body.hash == *hash => {
                Ok(Some(Arc::clone(bytes)))
            }
            (Some(copy), _) => self.store.body(copy.body.hash),
        }
    }

    /// Reads a page, and every snapshot that was put later but ended before the end of the page.
    fn read_ahead(&mut self) -> Result<(), StoreError> {
        let mut during = self.read_until..END_OF_TIME;
        let mut after = SnapshotId::BEFORE_ALL;
        loop {
            let snapshots_max = self.page_snapshots;
            let page =
                (self.store).snapshots(&self.authority, during.clone(), after, snapshots_max)?;
            self.page_snapshots = PAGE_SNAPSHOTS;
            let is_last = page.len() < snapshots_max;
            for snapshot in page {
                let key = (snapshot.attempt.at, snapshot.id);
                after = snapshot.id;
                self.ahead.insert(key, snapshot);
            }
            if is_last {
                self.read_until = during.end;
                return Ok(());
            }
            if let Some(((newest, _), _)) = self.ahead.last_key_value() {
                during.end = during.end.min(newest.after(Duration::from_secs(1)));
            }
        }
    }
}

impl<S: Store + ?Sized> Iterator for Periods<'_, S> {
    type Item = Result<InForce, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_period();
        if next.is_err() {
            (self.state, self.read_until) = (None, END_OF_TIME);
            self.ahead.clear();
        }
        next.transpose()
    }
}
