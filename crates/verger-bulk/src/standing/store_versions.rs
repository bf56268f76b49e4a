use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use verger_access::{Authority, Profile, RestOfSite, Stance, Timestamp};
use verger_store::{SnapshotId, Store, StoreError, knowledge_under};

use super::known_standing::END_OF_TIME;
use super::stored::micros;

/// Number of authorities in memory at once.
const PAGE_AUTHORITIES: usize = 256;

/// Number of snapshots in memory at once, without their bodies.
const PAGE_SNAPSHOTS: usize = 64;

/// The answers of a profile about the authorities of a store, in name order and bounded memory.
///
/// A version starts with a snapshot that changes the stance or the body. Changes by time alone,
/// such as the expiry of a copy, do not start a version.
pub struct StoreVersions<'s> {
    store: &'s dyn Store,
    profile: Profile,
    at: Option<Timestamp>,
}

/// The answer of a profile about an authority of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredVersion {
    /// The time of its snapshot, in microseconds since 1970.
    pub time_micros: i64,
    /// The stance.
    pub stance: Stance,
    /// The body, if its rules decide.
    pub body: Option<Arc<[u8]>>,
}

impl<'s> StoreVersions<'s> {
    /// Selects all versions, or with `at` only the version in force at that time for each
    /// authority.
    #[must_use]
    pub fn new(store: &'s dyn Store, profile: Profile, at: Option<Timestamp>) -> Self {
        Self { store, profile, at }
    }

    /// Calls `visit` with each version, or with the error that prevents reading an authority, until
    /// it breaks. Returns the number of authorities about which nothing was known.
    ///
    /// # Errors
    ///
    /// Returns an error if the authorities cannot be listed.
    pub fn each(
        &self,
        mut visit: impl FnMut(&Authority, Result<&StoredVersion, &StoreError>) -> ControlFlow<()>,
    ) -> Result<u64, StoreError> {
        let mut unknown = 0;
        let mut after: Option<Authority> = None;
        loop {
            let page = self.store.authorities(after.as_ref(), PAGE_AUTHORITIES)?;
            for authority in &page {
                let mut is_known = false;
                let mut visit_one = |version: Result<&StoredVersion, &StoreError>| {
                    is_known = true;
                    visit(authority, version)
                };
                let read = match self.at {
                    Some(at) => self.in_force(authority, at, &mut visit_one),
                    None => self.all_of(authority, &mut visit_one),
                };
                if read
                    .unwrap_or_else(|error| visit_one(Err(&error)))
                    .is_break()
                {
                    return Ok(unknown);
                }
                unknown += u64::from(!is_known);
            }
            match page.into_iter().next_back() {
                None => return Ok(unknown),
                last => after = last,
            }
        }
    }

    fn in_force(
        &self,
        authority: &Authority,
        at: Timestamp,
        visit: &mut impl FnMut(Result<&StoredVersion, &StoreError>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let version = self.version(authority, at)?;
        Ok(version.map_or(ControlFlow::Continue(()), |version| visit(Ok(&version))))
    }

    fn all_of(
        &self,
        authority: &Authority,
        visit: &mut impl FnMut(Result<&StoredVersion, &StoreError>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let ever = Timestamp::default()..END_OF_TIME;
        let mut after = SnapshotId::BEFORE_ALL;
        let mut before: Option<StoredVersion> = None;
        loop {
            let page = self
                .store
                .snapshots(authority, ever.clone(), after, PAGE_SNAPSHOTS)?;
            let Some(last) = page.last() else {
                return Ok(ControlFlow::Continue(()));
            };
            after = last.id;
            for snapshot in &page {
                // Skip a snapshot that means nothing under the profile or had been superseded by
                // its own time.
                let Some(version) = self.version(authority, snapshot.attempt.at)? else {
                    continue;
                };
                let is_same =
                    |it: &StoredVersion| (it.stance, &it.body) == (version.stance, &version.body);
                if before.as_ref().is_some_and(is_same) {
                    continue;
                }
                if visit(Ok(&version)).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                before = Some(version);
            }
        }
    }

    /// Returns `None` if nothing was known.
    fn version(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredVersion>, StoreError> {
        let state = knowledge_under(self.store, authority, &self.profile, at)?;
        Ok(state.map(|state| {
            let answer = state
                .knowledge
                .answer(&self.profile, at, RestOfSite::default());
            StoredVersion {
                time_micros: micros(state.snapshot.attempt.at),
                stance: answer.stance(),
                body: answer.body().cloned(),
            }
        }))
    }
}

impl fmt::Debug for StoreVersions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("StoreVersions");
        shown.field("profile", &self.profile.name);
        shown.field("at", &self.at).finish_non_exhaustive()
    }
}
