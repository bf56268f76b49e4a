//! `RulesSource`: supplies histories of rules. `FileRules`, `StoreRules`.

use std::ops::Range;
use std::time::Duration;

use verger_access::{AccessResult, Authority, Profile, RestOfSite, Timestamp};
use verger_store::{BodyHash, Snapshot, SnapshotId, Store, StoreError, knowledge_under};

use super::rules_history::RulesHistory;
use super::rules_in_force::RulesInForce;

/// Maximum number of snapshots read for a period. Later ones are unknown.
const SNAPSHOTS_MAX: usize = 20_000;

/// Maximum heap size of the bodies of a period, in bytes. Later ones are unknown.
const HISTORY_BYTES_MAX: usize = 64 << 20;

/// In longer histories, the times of changes are unknown.
const CHANGES_SNAPSHOTS_MAX: usize = 1_000_000;

const PAGE_SNAPSHOTS: usize = 256;

/// A source of histories of rules.
pub trait RulesSource {
    /// Returns the rules of an authority during a period, including the rules in force at its start
    /// and the first ones seen after it. `authority` is `None` if the log does not name it.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot be read.
    fn history(
        &self,
        authority: Option<&Authority>,
        during: Range<Timestamp>,
    ) -> Result<RulesHistory, StoreError>;

    /// Returns whether each authority has its own rules.
    fn needs_authority(&self) -> bool;

    /// Returns whether an authority has rules at any time. If not, nothing is known about it.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot be read.
    fn has(&self, authority: &Authority) -> Result<bool, StoreError> {
        let _ = authority;
        Ok(true)
    }

    /// Returns the times at which a different robots.txt of an authority was first seen, in
    /// ascending order. Empty if they are unknown.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot be read.
    fn changes(&self, authority: Option<&Authority>) -> Result<Vec<Timestamp>, StoreError> {
        let _ = authority;
        Ok(Vec::new())
    }

    /// Returns whether a history depends on the requested period.
    fn needs_time(&self) -> bool;
}

/// Rules from files, each in force from a given time.
#[derive(Clone, Debug)]
pub struct FileRules {
    /// The authority of the rules, or `None` for all authorities.
    authority: Option<Authority>,
    /// Oldest first.
    files: Vec<(Timestamp, RulesInForce)>,
}

impl FileRules {
    /// Creates rules that came into force at these times, for one authority or for all.
    #[must_use]
    pub fn new(authority: Option<Authority>, mut files: Vec<(Timestamp, RulesInForce)>) -> Self {
        files.sort_by_key(|&(from, _)| from);
        Self { authority, files }
    }

    fn is_of(&self, authority: &Authority) -> bool {
        self.authority.as_ref().is_none_or(|own| own == authority)
    }
}

impl RulesSource for FileRules {
    fn history(
        &self,
        authority: Option<&Authority>,
        _during: Range<Timestamp>,
    ) -> Result<RulesHistory, StoreError> {
        let mut history = RulesHistory::default();
        if authority.is_some_and(|asked| !self.is_of(asked)) {
            return Ok(history);
        }
        for (nth, (from, rules)) in self.files.iter().enumerate() {
            history.push(*from, rules.clone());
            let until = self
                .files
                .get(nth + 1)
                .map_or(u64::MAX, |(next, _)| next.unix_seconds().saturating_sub(1));
            history.seen_until(Timestamp::from_unix_seconds(until));
        }
        Ok(history)
    }

    fn needs_authority(&self) -> bool {
        self.authority.is_some()
    }

    fn has(&self, authority: &Authority) -> Result<bool, StoreError> {
        Ok(self.is_of(authority))
    }

    fn changes(&self, _authority: Option<&Authority>) -> Result<Vec<Timestamp>, StoreError> {
        Ok(self.files.iter().map(|&(from, _)| from).collect())
    }

    fn needs_time(&self) -> bool {
        false
    }
}

/// Rules from a store, interpreted by a profile.
#[derive(Debug)]
pub struct StoreRules<'s, S: Store + ?Sized> {
    store: &'s S,
    profile: &'s Profile,
}

impl<'s, S: Store + ?Sized> StoreRules<'s, S> {
    /// Creates a source of the rules in a store, interpreted by a profile.
    #[must_use]
    pub fn new(store: &'s S, profile: &'s Profile) -> Self {
        Self { store, profile }
    }

    fn rules_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<(RulesInForce, Timestamp)>, StoreError> {
        let state = knowledge_under(self.store, authority, self.profile, at)?;
        Ok(state.map(|state| {
            let answer = state
                .knowledge
                .answer(self.profile, at, RestOfSite::default());
            (RulesInForce::from_answer(&answer), answer.holds_until())
        }))
    }

    /// Returns whether nothing of the site was reached.
    fn is_failure(&self, snapshot: &Snapshot) -> bool {
        let result = self.profile.access_result(snapshot.attempt.outcome);
        matches!(result, AccessResult::Unreachable(_))
    }

    /// Returns snapshots after an id, oldest first.
    fn page(
        &self,
        authority: &Authority,
        after: SnapshotId,
        most: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let ever = Timestamp::default()..Timestamp::from_unix_seconds(u64::MAX);
        self.store.snapshots(authority, ever, after, most)
    }
}

impl<S: Store + ?Sized> RulesSource for StoreRules<'_, S> {
    fn history(
        &self,
        authority: Option<&Authority>,
        during: Range<Timestamp>,
    ) -> Result<RulesHistory, StoreError> {
        let mut reading = Reading {
            source: self,
            history: RulesHistory::default(),
            last_body: None,
            known_until: Timestamp::default(),
            after: SnapshotId::BEFORE_ALL,
            last_seen: during.start,
        };
        let Some(authority) = authority else {
            return Ok(reading.history);
        };
        if let Some(state) = self.store.state_at(authority, during.start)? {
            // Evaluate it at its own time, like all later ones, so the result does not depend on
            // the period.
            let seen = state.snapshot.attempt.at;
            if let Some(rules) = self.rules_at(authority, seen)? {
                reading.push(&state.snapshot, rules);
                reading.last_body = found_body(&state.snapshot);
            }
            reading.after = state.snapshot.id;
        }
        let after = during.end..Timestamp::from_unix_seconds(u64::MAX);
        if reading.read(authority, &during, SNAPSHOTS_MAX)? {
            // This shows when the last rules of the period ended.
            reading.read_observation(authority, &after)?;
        } else {
            reading.end_unknown();
        }
        Ok(reading.history)
    }

    fn has(&self, authority: &Authority) -> Result<bool, StoreError> {
        Ok(!self.page(authority, SnapshotId::BEFORE_ALL, 1)?.is_empty())
    }

    /// A failed fetch is not a change.
    fn changes(&self, authority: Option<&Authority>) -> Result<Vec<Timestamp>, StoreError> {
        let (mut changes, mut newest) = (Vec::new(), None);
        let (mut after, mut read) = (SnapshotId::BEFORE_ALL, 0);
        let Some(authority) = authority else {
            return Ok(changes);
        };
        loop {
            let page = self.page(authority, after, PAGE_SNAPSHOTS)?;
            let Some(last) = page.last() else {
                return Ok(changes);
            };
            (after, read) = (last.id, read + page.len());
            if read > CHANGES_SNAPSHOTS_MAX {
                return Ok(Vec::new());
            }
            for snapshot in &page {
                let at = snapshot.attempt.at;
                let seen = Some(found_body(snapshot));
                let is_failure = self.is_failure(snapshot);
                // Snapshots are in insertion order, and the clock may have gone back in between.
                if !is_failure && seen != newest && changes.last().is_none_or(|&last| last <= at) {
                    changes.push(at);
                    newest = seen;
                }
            }
        }
    }

    fn needs_authority(&self) -> bool {
        true
    }

    fn needs_time(&self) -> bool {
        true
    }
}

struct Reading<'r, S: Store + ?Sized> {
    source: &'r StoreRules<'r, S>,
    history: RulesHistory,
    last_body: Option<BodyHash>,
    /// Until when the newest rules apply.
    known_until: Timestamp,
    after: SnapshotId,
    /// The time of the last snapshot.
    last_seen: Timestamp,
}

impl<S: Store + ?Sized> Reading<'_, S> {
    /// Reads snapshots. Returns false if there are more of them or they are too large.
    fn read(
        &mut self,
        authority: &Authority,
        during: &Range<Timestamp>,
        snapshots_max: usize,
    ) -> Result<bool, StoreError> {
        let mut read = 0;
        while read < snapshots_max {
            let limit = (snapshots_max - read).min(PAGE_SNAPSHOTS);
            let store = self.source.store;
            let page = store.snapshots(authority, during.clone(), self.after, limit)?;
            let Some(last) = page.last() else {
                return Ok(true);
            };
            self.after = last.id;
            read += page.len();
            for snapshot in &page {
                self.add(authority, snapshot)?;
                self.last_seen = snapshot.attempt.at;
                if self.history.heap_bytes() > HISTORY_BYTES_MAX {
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    /// Reads the first successful observation of a period. Failed fetches before it end nothing.
    fn read_observation(
        &mut self,
        authority: &Authority,
        during: &Range<Timestamp>,
    ) -> Result<(), StoreError> {
        let mut read = 0;
        while read < SNAPSHOTS_MAX {
            let limit = read.clamp(1, PAGE_SNAPSHOTS);
            let store = self.source.store;
            let page = store.snapshots(authority, during.clone(), self.after, limit)?;
            let Some(last) = page.last() else {
                return Ok(());
            };
            for snapshot in &page {
                if !self.source.is_failure(snapshot) {
                    return self.add(authority, snapshot);
                }
                self.last_body = None;
            }
            (self.after, self.last_seen) = (last.id, last.attempt.at);
            read += page.len();
        }
        self.end_unknown();
        Ok(())
    }

    fn push(&mut self, snapshot: &Snapshot, (rules, until): (RulesInForce, Timestamp)) {
        let is_seen = !self.source.is_failure(snapshot);
        self.history
            .push_version(snapshot.attempt.at, rules, is_seen);
        self.know_until(until);
    }

    fn know_until(&mut self, until: Timestamp) {
        self.known_until = until;
        self.history.known_until(until);
    }

    /// Marks everything after the last snapshot as unknown.
    fn end_unknown(&mut self) {
        let next = self.last_seen.after(Duration::from_secs(1));
        self.history.push(next, RulesInForce::unknown());
    }

    fn add(&mut self, authority: &Authority, snapshot: &Snapshot) -> Result<(), StoreError> {
        let seen = snapshot.attempt.at;
        let body = found_body(snapshot);
        if body.is_some() && body == self.last_body && seen <= self.known_until {
            self.history.seen_until(seen);
            let stated = snapshot.attempt.stated_lifetime;
            let lifetime = self.source.profile.freshness.lifetime(stated);
            self.know_until(seen.after(lifetime));
        } else if let Some(rules) = self.source.rules_at(authority, seen)? {
            self.push(snapshot, rules);
        }
        self.last_body = body;
        Ok(())
    }
}

fn found_body(snapshot: &Snapshot) -> Option<BodyHash> {
    Some(snapshot.body.as_ref()?.hash)
}

/// Returns the period that is read at once: a week, and the grace period before it.
pub(crate) fn span_of(time: Timestamp, grace: Duration) -> (u64, Range<Timestamp>) {
    const WEEK: u64 = 7 * 24 * 60 * 60;
    let number = time.unix_seconds() / WEEK;
    let start = number * WEEK;
    let before = start.saturating_sub(grace.as_secs());
    let end = start.saturating_add(WEEK);
    let times = Timestamp::from_unix_seconds(before)..Timestamp::from_unix_seconds(end);
    (number, times)
}
