//! `Timeline`: the history of a site's robots.txt, in a bounded number of time slots.
//!
//! | module | content |
//! |---|---|
//! | `outcome_class` | the outcome of an attempt, as one of five classes |
//! | `time_unit` | the length of slots, and the marks of an axis |

mod outcome_class;
mod time_unit;

use std::ops::Range;

use verger_access::{Authority, Profile, Timestamp};

use crate::body_hash::BodyHash;
use crate::each_snapshot::{ReadFacts, each_change, snapshot_before};
use crate::snapshot::{Snapshot, SnapshotId};
use crate::store::Store;
use crate::store_error::StoreError;
pub use outcome_class::OutcomeClass;
pub use time_unit::{AxisMark, unit_text};

/// The attempts to fetch a site's robots.txt, in slots of equal length.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeline {
    /// Start of the first slot, in seconds since 1970.
    start: u64,
    /// Length of a slot, in seconds.
    unit: u64,
    slots: Vec<Slot>,
    /// When the first and the last attempt ended.
    pub ends: (Timestamp, Timestamp),
    /// Number of attempts.
    pub snapshots: u64,
    /// Number of changes of the body.
    pub changes: u64,
}

/// The attempts during one slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Slot {
    /// Number of attempts of each class, in the order of [`OutcomeClass::ALL`].
    outcomes: [u64; OutcomeClass::ALL.len()],
    /// Number of changes of the body.
    pub changes: u64,
    /// The class of the last attempt before the end of the slot.
    last: Option<OutcomeClass>,
}

/// How much of a slot a class fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// No attempt in this slot has the class.
    None,
    /// This slot has no attempt, and the last one before it has the class.
    Carried,
    /// Some attempts in this slot have the class.
    Part,
    /// All attempts in this slot have the class.
    Whole,
}

impl Slot {
    /// Returns how much of the slot a class fills.
    #[must_use]
    pub fn share(&self, class: OutcomeClass) -> Share {
        let all: u64 = self.outcomes.iter().sum();
        match self.outcomes[class.index()] {
            0 if all == 0 && self.last == Some(class) => Share::Carried,
            0 => Share::None,
            count if count == all => Share::Whole,
            _ => Share::Part,
        }
    }
}

impl Timeline {
    /// Reads the history of a site during a time, in at most `slots_max` slots. Returns `None` if there is no snapshot.
    /// Calls `visit` with every snapshot, and with the hash of the previous body if the body changed.
    ///
    /// # Errors
    ///
    /// Returns the errors of the store and of `visit`.
    pub fn read<E: From<StoreError>>(
        store: &dyn Store,
        site: &Authority,
        during: Range<Timestamp>,
        (profile, slots_max): (&Profile, u64),
        mut visit: impl FnMut(&Snapshot, Option<BodyHash>) -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        let first = store.snapshots(site, during.clone(), SnapshotId::BEFORE_ALL, 1)?;
        let Some(first) = first.first().map(|first| first.attempt.at) else {
            return Ok(None);
        };
        let last = snapshot_before(store, site, during.end)?;
        let last = last.map_or(first, |last| last.attempt.at);
        let mut timeline = Self::between(first, last.max(first), slots_max);
        each_change(store, site, during, ReadFacts::No, |snapshot, before, _| {
            let now = snapshot.body.map(|body| body.hash);
            let body = before.and_then(|before| before.body);
            let changed_from = body.map(|body| body.hash);
            let changed_from = changed_from.filter(|body| now.is_some_and(|now| now != *body));
            timeline.add(snapshot, changed_from.is_some(), profile);
            visit(snapshot, changed_from)
        })?;
        timeline.carry();
        Ok(Some(timeline))
    }

    fn between(first: Timestamp, last: Timestamp, slots_max: u64) -> Self {
        let (start, unit, count) =
            time_unit::slots(first.unix_seconds(), last.unix_seconds(), slots_max);
        Self {
            start,
            unit,
            slots: vec![Slot::default(); usize::try_from(count).unwrap_or(1)],
            ends: (first, first),
            snapshots: 0,
            changes: 0,
        }
    }

    /// Adds a snapshot. A snapshot that another process has put meanwhile may be outside the range, and counts at the
    /// nearer end.
    fn add(&mut self, snapshot: &Snapshot, is_changed: bool, profile: &Profile) {
        let at = snapshot.attempt.at;
        let class = OutcomeClass::new(snapshot.attempt.outcome, profile);
        let slot = at.unix_seconds().saturating_sub(self.start) / self.unit;
        let last = self.slots.len() - 1;
        let slot = usize::try_from(slot).map_or(last, |slot| slot.min(last));
        let slot = &mut self.slots[slot];
        slot.outcomes[class.index()] += 1;
        slot.changes += u64::from(is_changed);
        slot.last = Some(class);
        self.ends = (self.ends.0.min(at), self.ends.1.max(at));
        self.snapshots += 1;
        self.changes += u64::from(is_changed);
    }

    fn carry(&mut self) {
        let mut last = None;
        for slot in &mut self.slots {
            last = slot.last.or(last);
            slot.last = last;
        }
    }

    /// Returns the slots, earliest first.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Returns the classes that have at least one attempt.
    pub fn classes(&self) -> impl Iterator<Item = OutcomeClass> {
        let occurs = |class: &OutcomeClass| {
            let mut slots = self.slots.iter();
            slots.any(|slot| slot.outcomes[class.index()] > 0)
        };
        OutcomeClass::ALL.iter().copied().filter(occurs)
    }

    /// Returns the number of attempts of a class.
    #[must_use]
    pub fn count(&self, class: OutcomeClass) -> u64 {
        let counts = self.slots.iter().map(|slot| slot.outcomes[class.index()]);
        counts.sum()
    }

    /// Returns the start of a slot.
    #[must_use]
    pub fn start_of(&self, slot: usize) -> Timestamp {
        let slot = u64::try_from(slot).unwrap_or(u64::MAX);
        let seconds = self.unit.saturating_mul(slot).saturating_add(self.start);
        Timestamp::from_unix_seconds(seconds)
    }

    /// Returns the marks of an axis, at least `slots_between` slots apart. If none fits, the only mark is at the
    /// start.
    #[must_use]
    pub fn axis_marks(&self, slots_between: usize) -> Vec<AxisMark> {
        let starts = (0..self.slots.len()).map(|slot| self.start_of(slot));
        time_unit::axis_marks(starts, self.unit, slots_between)
    }

    /// Returns the length of a slot, in seconds.
    #[must_use]
    pub fn unit_seconds(&self) -> u64 {
        self.unit
    }
}
