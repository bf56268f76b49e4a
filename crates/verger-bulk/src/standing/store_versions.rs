use std::fmt;
use std::ops::ControlFlow;

use verger_access::{Authority, Profile, Timestamp};
use verger_store::{History, InForce, StoreError, in_force, in_force_at};

/// Number of authorities in memory at once.
const PAGE_AUTHORITIES: usize = 256;

/// The answers of a profile about the authorities of a store, in name order and bounded memory.
///
/// A version starts with a snapshot that changes the stance or the body. Changes by time alone,
/// such as the expiry of a copy, do not start a version.
pub struct StoreVersions<'s> {
    store: &'s dyn History,
    profile: Profile,
    at: Option<Timestamp>,
}

impl<'s> StoreVersions<'s> {
    /// Selects all versions, or with `at` only the version in force at that time for each
    /// authority.
    #[must_use]
    pub fn new(store: &'s dyn History, profile: Profile, at: Option<Timestamp>) -> Self {
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
        mut visit: impl FnMut(&Authority, Result<&InForce, &StoreError>) -> ControlFlow<()>,
    ) -> Result<u64, StoreError> {
        let mut unknown = 0;
        let mut after: Option<Authority> = None;
        loop {
            let page = self.store.authorities(after.as_ref(), PAGE_AUTHORITIES)?;
            for authority in &page {
                let mut is_known = false;
                let mut visit_one = |version: Result<&InForce, &StoreError>| {
                    is_known = true;
                    visit(authority, version)
                };
                let read = match self.at {
                    Some(at) => self.in_force_at(authority, at, &mut visit_one),
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

    fn in_force_at(
        &self,
        authority: &Authority,
        at: Timestamp,
        visit: &mut impl FnMut(Result<&InForce, &StoreError>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let version = in_force_at(self.store, authority, &self.profile, at)?;
        Ok(version.map_or(ControlFlow::Continue(()), |version| visit(Ok(&version))))
    }

    fn all_of(
        &self,
        authority: &Authority,
        visit: &mut impl FnMut(Result<&InForce, &StoreError>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let mut before = None;
        for period in in_force(self.store, authority, &self.profile, Timestamp::default()) {
            let period = period?;
            let answer = (period.answer.stance(), period.answer.body().cloned());
            let is_of_snapshot = period.from == period.evidence.attempt.at;
            if !is_of_snapshot || before.as_ref() == Some(&answer) {
                continue;
            }
            if visit(Ok(&period)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            before = Some(answer);
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl fmt::Debug for StoreVersions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("StoreVersions");
        shown.field("profile", &self.profile.name);
        shown.field("at", &self.at).finish_non_exhaustive()
    }
}
