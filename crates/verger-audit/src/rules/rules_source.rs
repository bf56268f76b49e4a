//! `RulesSource`: supplies histories of rules. `FileRules`, `StoreRules`.

use std::ops::Range;
use std::time::Duration;

use verger_access::{Authority, Profile, Timestamp};
use verger_store::{Basis, SnapshotId, Store, StoreError, in_force};

use super::rules_history::RulesHistory;
use super::rules_in_force::RulesInForce;

/// Maximum number of periods in a history. Later ones are unknown.
const PERIODS_MAX: usize = 20_000;

/// Maximum heap size of the bodies of a history, in bytes. Later ones are unknown.
const HISTORY_BYTES_MAX: usize = 64 << 20;

/// In longer histories, the times of changes are unknown.
const CHANGES_PERIODS_MAX: usize = 1_000_000;

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
}

impl<S: Store + ?Sized> RulesSource for StoreRules<'_, S> {
    fn history(
        &self,
        authority: Option<&Authority>,
        during: Range<Timestamp>,
    ) -> Result<RulesHistory, StoreError> {
        let mut history = RulesHistory::default();
        let Some(authority) = authority else {
            return Ok(history);
        };
        let mut before = None;
        let periods = in_force(self.store, authority, self.profile, during.start);
        for (nth, period) in periods.enumerate() {
            let period = period?;
            let is_later = period.from >= during.end;
            if nth == PERIODS_MAX {
                history.push(period.from, RulesInForce::unknown());
                break;
            }
            // Failed fetches after the period end nothing.
            if is_later && period.basis == Basis::CarriedOver {
                before = None;
                continue;
            }
            history.add(&period, before.as_ref());
            if history.heap_bytes() > HISTORY_BYTES_MAX {
                history.push(period.until, RulesInForce::unknown());
                break;
            }
            if is_later {
                break;
            }
            before = Some(period.answer);
        }
        Ok(history)
    }

    fn has(&self, authority: &Authority) -> Result<bool, StoreError> {
        let ever = Timestamp::default()..Timestamp::from_unix_seconds(u64::MAX);
        let first = (self.store).snapshots(authority, ever, SnapshotId::BEFORE_ALL, 1)?;
        Ok(!first.is_empty())
    }

    /// A failed fetch is not a change.
    fn changes(&self, authority: Option<&Authority>) -> Result<Vec<Timestamp>, StoreError> {
        let (mut changes, mut newest) = (Vec::new(), None);
        let Some(authority) = authority else {
            return Ok(changes);
        };
        let periods = in_force(self.store, authority, self.profile, Timestamp::default());
        for (nth, period) in periods.enumerate() {
            let period = period?;
            if nth == CHANGES_PERIODS_MAX {
                return Ok(Vec::new());
            }
            let body = Some(period.evidence.body);
            if period.basis == Basis::Observed && body != newest {
                changes.push(period.from);
                newest = body;
            }
        }
        Ok(changes)
    }

    fn needs_authority(&self) -> bool {
        true
    }

    fn needs_time(&self) -> bool {
        true
    }
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
