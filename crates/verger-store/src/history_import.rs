//! `HistoryImport`: decides which snapshots of one authority an import appends.
//!
//! | snapshot | result |
//! |---|---|
//! | equals a stored snapshot in every value | skipped, so importing twice adds nothing |
//! | follows the stored snapshot that was put last | appended, because it continues the history |
//! | ended later than all stored snapshots | appended |
//! | its attempt says nothing about the site | skipped |
//! | any other | skipped, because nothing is inserted before or replaces newer snapshots |

use core::time::Duration;
use std::collections::BTreeMap;

use verger_access::{Authority, LastAttempt, Timestamp};

use crate::body_hash::BodyHash;
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::snapshot_record::SnapshotRecord;
use crate::store_error::StoreError;

/// Maximum of times and durations in an export, as in a file. Without it, an import would not recognise snapshots that a
/// file has rounded.
pub(crate) const SECONDS_MAX: u64 = i64::MAX.unsigned_abs();

/// Approximate size of a snapshot in memory without its record and its bodies, in bytes.
const OVERHEAD_BYTES: usize = 1400;

/// The identity of a snapshot: the hash of its record. Two snapshots have the same hash exactly if they have the same
/// line in an export. The line would take three times as long to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RecordHash(BodyHash);

impl RecordHash {
    fn of(mut snapshot: Snapshot) -> (Self, usize) {
        round(&mut snapshot);
        let record = SnapshotRecord::of(&snapshot);
        (Self(BodyHash::new(record.as_bytes())), record.bytes())
    }
}

/// Rounds the times and durations of a snapshot as an export does.
fn round(snapshot: &mut Snapshot) {
    let last = Timestamp::from_unix_seconds(SECONDS_MAX);
    let time = |time: &mut Timestamp| *time = last.min(*time);
    let length = |length: &mut Option<Duration>| {
        *length = length.map(|it| Duration::from_secs(it.as_secs().min(SECONDS_MAX)));
    };
    time(&mut snapshot.attempt.at);
    time(&mut snapshot.fresh_until);
    length(&mut snapshot.attempt.stated_lifetime);
    length(&mut snapshot.attempt.retry_after);
    if let Some(copy) = &mut snapshot.copy {
        time(&mut copy.validated_at);
        length(&mut copy.stated_lifetime);
    }
    if let Some(streak) = &mut snapshot.streak {
        time(&mut streak.first_at);
    }
}

#[derive(Debug)]
pub(crate) struct PendingSnapshot {
    hash: RecordHash,
    observation: Observation,
    bytes: usize,
}

impl PendingSnapshot {
    pub(crate) fn of(observation: Observation) -> Self {
        let (hash, record) = RecordHash::of(Snapshot::new(SnapshotId::BEFORE_ALL, &observation));
        let copies = [&observation.attempt.copy, &observation.knowledge.copy];
        let bytes = copies.into_iter().flatten().map(|copy| copy.body.len());
        let facts = observation.facts.bytes().map_or(0, <[u8]>::len);
        let bytes = OVERHEAD_BYTES + record + facts + bytes.sum::<usize>();
        Self {
            hash,
            observation,
            bytes,
        }
    }

    pub(crate) fn authority(&self) -> &Authority {
        &self.observation.authority
    }

    /// Returns the approximate number of bytes that it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) appended: u64,
    pub(crate) already_there: u64,
    pub(crate) skipped: u64,
    pub(crate) held: u64,
}

/// Snapshots of one authority to import, oldest first, and the numbers of appended and skipped ones.
#[derive(Debug)]
pub struct HistoryImport {
    authority: Authority,
    stored: Option<StoredHistory>,
    previous: Option<RecordHash>,
    pending: Vec<PendingSnapshot>,
    tally: Tally,
    /// Whether snapshots were skipped because another holder had the lease. Later snapshots must be skipped then as
    /// well.
    was_held: bool,
}

/// The stored snapshots of the authority, as hashes. Each takes about 100 bytes.
#[derive(Debug, Default)]
struct StoredHistory {
    /// The number of equal snapshots that the import has not reached yet, by hash.
    known: BTreeMap<RecordHash, u64>,
    /// The latest end of an attempt before the import.
    latest: Option<Timestamp>,
    /// The snapshot that was put last.
    newest: Option<RecordHash>,
    newest_id: Option<SnapshotId>,
    /// When its attempt ended.
    newest_at: Option<Timestamp>,
}

/// Whether another holder has a live lease on the authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeaseState {
    Free,
    Held,
}

impl HistoryImport {
    pub(crate) fn new(authority: Authority) -> Self {
        Self {
            authority,
            stored: None,
            previous: None,
            pending: Vec::new(),
            tally: Tally::default(),
            was_held: false,
        }
    }

    /// Returns the authority.
    #[must_use]
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    pub(crate) fn push(&mut self, snapshot: PendingSnapshot) {
        self.pending.push(snapshot);
    }

    /// Returns the counts since the last call.
    pub(crate) fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// Loads the stored snapshots, unless they are loaded: `newest` is the id of the snapshot that
    /// was put last, and `page` reads those after an id.
    pub(crate) fn load_stored(
        &mut self,
        newest: Option<SnapshotId>,
        page: impl Fn(&Authority, SnapshotId) -> Result<Vec<Snapshot>, StoreError>,
    ) -> Result<(), StoreError> {
        if (self.stored.as_ref()).is_some_and(|stored| stored.newest_id == newest) {
            return Ok(());
        }
        let mut stored = StoredHistory {
            newest_id: newest,
            ..StoredHistory::default()
        };
        let mut after = SnapshotId::BEFORE_ALL;
        while newest.is_some() {
            let page = page(&self.authority, after)?;
            let Some(last) = page.last() else {
                break;
            };
            after = last.id;
            for snapshot in page {
                stored.newest_at = Some(snapshot.attempt.at);
                stored.latest = stored.latest.max(stored.newest_at);
                let (hash, _) = RecordHash::of(snapshot);
                *stored.known.entry(hash).or_default() += 1;
                stored.newest = Some(hash);
            }
        }
        self.stored = Some(stored);
        Ok(())
    }

    /// Returns the added snapshots that are to be appended.
    pub(crate) fn resolve(&mut self, lease: LeaseState) -> Vec<Observation> {
        let stored = self.stored.get_or_insert_default();
        let mut appended = Vec::new();
        for pending in self.pending.drain(..) {
            let (hash, observation) = (pending.hash, pending.observation);
            let previous = self.previous.replace(hash);
            let goes_on = previous == stored.newest;
            let LastAttempt {
                at: ended, outcome, ..
            } = observation.attempt.last;
            match stored.known.get_mut(&hash) {
                Some(times) if *times > 0 => {
                    *times -= 1;
                    self.tally.already_there += 1;
                    continue;
                }
                // The export repeats an earlier line. If it repeats the newest snapshot, the file changed back.
                Some(_) if previous != Some(hash) && Some(ended) < stored.newest_at => {
                    self.tally.already_there += 1;
                    continue;
                }
                _ => {}
            }
            let is_later = stored.latest.is_none_or(|latest| ended > latest);
            if !(goes_on || is_later) {
                self.tally.skipped += 1;
                continue;
            }
            if lease == LeaseState::Held || self.was_held {
                let is_held = outcome.is_about_the_site();
                self.was_held |= is_held;
                self.tally.held += u64::from(is_held);
                self.tally.skipped += 1;
                continue;
            }
            stored.newest = Some(hash);
            stored.newest_at = Some(ended);
            if !outcome.is_about_the_site() {
                self.tally.skipped += 1;
                continue;
            }
            stored.known.insert(hash, 0);
            self.tally.appended += 1;
            appended.push(observation);
        }
        appended
    }

    /// Records the id of the last snapshot that was appended.
    pub(crate) fn note_appended(&mut self, last: SnapshotId) {
        self.stored.get_or_insert_default().newest_id = Some(last);
    }
}
