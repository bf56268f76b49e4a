//! `HistoryImport`: what follows from the snapshots of one authority that an import meets in a row.
//!
//! | a snapshot | is |
//! |---|---|
//! | that is there already, to the last value | skipped: importing twice adds nothing |
//! | that follows on the one that was put last | appended: the history goes on |
//! | that ended later than all that is there | appended |
//! | of an attempt that says nothing about the site | skipped |
//! | any other | skipped: nothing is put before, or in place of, what is newer |

use core::time::Duration;
use std::collections::BTreeMap;

use verger_access::{Authority, LastAttempt, Timestamp};

use crate::body_hash::BodyHash;
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::snapshot_record::SnapshotRecord;
use crate::store_error::StoreError;
use crate::transfer::store_line::SECONDS_MAX;

/// What a snapshot takes in memory beside its record and its bodies, about.
const OVERHEAD_OCTETS: usize = 1400;

/// Which snapshot it is: the hash of its record. Snapshots have the same where they have the same
/// line in an export; making the line takes three times as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RecordHash(BodyHash);

impl RecordHash {
    fn of(mut snapshot: Snapshot) -> (Self, usize) {
        round(&mut snapshot);
        let record = SnapshotRecord::of(&snapshot);
        (Self(BodyHash::of(record.as_octets())), record.octets())
    }
}

/// Makes the times and lengths of a snapshot those that a line of an export has.
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

/// A snapshot that an import brings.
pub(crate) struct PendingSnapshot {
    hash: RecordHash,
    observation: Observation,
    octets: usize,
}

impl PendingSnapshot {
    pub(crate) fn of(observation: Observation) -> Self {
        let (hash, record) = RecordHash::of(Snapshot::of(SnapshotId::BEFORE_ALL, &observation));
        let copies = [&observation.attempt.copy, &observation.knowledge.copy];
        let octets = copies.into_iter().flatten().map(|copy| copy.body.len());
        let octets = OVERHEAD_OCTETS + record + octets.sum::<usize>();
        Self {
            hash,
            observation,
            octets,
        }
    }

    /// Whose it is.
    pub(crate) fn authority(&self) -> &Authority {
        &self.observation.authority
    }

    /// What it takes in memory, about.
    pub(crate) fn octets(&self) -> usize {
        self.octets
    }
}

/// What became of snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) appended: u64,
    pub(crate) already_there: u64,
    pub(crate) skipped: u64,
}

/// Snapshots of one authority that an import brings, oldest first, and what becomes of them.
pub struct HistoryImport {
    authority: Authority,
    there: Option<There>,
    previous: Option<RecordHash>,
    pending: Vec<PendingSnapshot>,
    tally: Tally,
}

/// What is there. It takes some 100 octets for each snapshot of the authority.
#[derive(Default)]
struct There {
    /// Each as often as it has not been met yet.
    known: BTreeMap<RecordHash, u64>,
    /// The latest end of an attempt that was there before.
    latest: Option<Timestamp>,
    /// The one that was put last, and its number.
    newest: Option<RecordHash>,
    newest_id: Option<SnapshotId>,
}

/// Whether an authority may be put to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Free,
    /// Somebody else fetches it.
    Held,
}

impl HistoryImport {
    pub(crate) fn new(authority: Authority) -> Self {
        Self {
            authority,
            there: None,
            previous: None,
            pending: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Whose history it is.
    #[must_use]
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    /// Takes the next snapshot.
    pub(crate) fn take(&mut self, snapshot: PendingSnapshot) {
        self.pending.push(snapshot);
    }

    /// Hands out what became of those that were taken since the last time.
    pub(crate) fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// Looks what is there, unless that is known: `newest` is the number of the snapshot that was
    /// put last, and `page` reads those after a number.
    pub(crate) fn look(
        &mut self,
        newest: Option<SnapshotId>,
        page: impl Fn(&Authority, SnapshotId) -> Result<Vec<Snapshot>, StoreError>,
    ) -> Result<(), StoreError> {
        if (self.there.as_ref()).is_some_and(|there| there.newest_id == newest) {
            return Ok(());
        }
        let mut there = There {
            newest_id: newest,
            ..There::default()
        };
        let mut after = SnapshotId::BEFORE_ALL;
        while newest.is_some() {
            let page = page(&self.authority, after)?;
            let Some(last) = page.last() else {
                break;
            };
            after = last.id;
            for snapshot in page {
                there.latest = there.latest.max(Some(snapshot.attempt.at));
                let (hash, _) = RecordHash::of(snapshot);
                *there.known.entry(hash).or_default() += 1;
                there.newest = Some(hash);
            }
        }
        self.there = Some(there);
        Ok(())
    }

    /// Says which of those that were taken are to be appended.
    pub(crate) fn resolve(&mut self, access: Access) -> Vec<Observation> {
        let there = self.there.get_or_insert_default();
        let mut appended = Vec::new();
        for pending in self.pending.drain(..) {
            let (hash, observation) = (pending.hash, pending.observation);
            let previous = self.previous.replace(hash);
            let goes_on = previous == there.newest;
            match there.known.get_mut(&hash) {
                Some(times) if *times > 0 => {
                    *times -= 1;
                    self.tally.already_there += 1;
                    continue;
                }
                // Met before, and not just now: the file repeats itself.
                Some(_) if previous != Some(hash) => {
                    self.tally.already_there += 1;
                    continue;
                }
                _ => {}
            }
            let LastAttempt {
                at: ended, outcome, ..
            } = observation.attempt.last;
            let is_later = there.latest.is_none_or(|latest| ended > latest);
            if access == Access::Held || !(goes_on || is_later) {
                self.tally.skipped += 1;
                continue;
            }
            there.newest = Some(hash);
            if !outcome.is_about_the_site() {
                self.tally.skipped += 1;
                continue;
            }
            there.known.insert(hash, 0);
            self.tally.appended += 1;
            appended.push(observation);
        }
        appended
    }

    /// Notes the number of the last one that was appended.
    pub(crate) fn note_appended(&mut self, last: SnapshotId) {
        self.there.get_or_insert_default().newest_id = Some(last);
    }
}
