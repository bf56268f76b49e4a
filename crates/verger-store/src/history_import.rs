//! `HistoryImport`: what follows from the snapshots of one authority that an import meets in a row.
//!
//! | a snapshot | is |
//! |---|---|
//! | that is there already, to the last value | skipped: importing twice adds nothing |
//! | that follows on the one that was put last | appended: the history goes on |
//! | that ended later than all that is there | appended |
//! | of an attempt that says nothing about the site | skipped |
//! | any other | skipped: nothing is put before, or in place of, what is newer |

use std::collections::BTreeMap;

use verger_access::{Authority, LastAttempt, Timestamp};

use crate::body_hash::BodyHash;
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::store_error::StoreError;
use crate::store_line::SnapshotLine;

/// What a snapshot takes in memory beside its line and its bodies, about.
const OVERHEAD_OCTETS: usize = 1000;

/// Which snapshot it is: the hash of its line.
type LineHash = BodyHash;

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
    previous: Option<LineHash>,
    pending: Vec<(LineHash, Observation)>,
    tally: Tally,
}

/// What is there. It takes some 100 octets for each snapshot of the authority.
#[derive(Default)]
struct There {
    /// Each as often as it has not been met yet.
    known: BTreeMap<LineHash, u64>,
    /// The latest end of an attempt that was there before.
    latest: Option<Timestamp>,
    /// The one that was put last, and its number.
    newest: Option<LineHash>,
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

    /// Takes the next snapshot, and says what it takes in memory.
    pub(crate) fn take(&mut self, observation: Observation) -> Result<usize, StoreError> {
        let line = line_of(&Snapshot::of(SnapshotId::BEFORE_ALL, &observation))?;
        let copies = [&observation.attempt.copy, &observation.knowledge.copy];
        let octets = copies.into_iter().flatten().map(|copy| copy.body.len());
        let octets = OVERHEAD_OCTETS + line.len() + octets.sum::<usize>();
        self.pending.push((LineHash::of(&line), observation));
        Ok(octets)
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
            for snapshot in &page {
                let hash = LineHash::of(&line_of(snapshot)?);
                *there.known.entry(hash).or_default() += 1;
                there.newest = Some(hash);
                there.latest = there.latest.max(Some(snapshot.attempt.at));
            }
        }
        self.there = Some(there);
        Ok(())
    }

    /// Says which of those that were taken are to be appended.
    pub(crate) fn resolve(&mut self, access: Access) -> Vec<Observation> {
        let there = self.there.get_or_insert_default();
        let mut appended = Vec::new();
        for (hash, observation) in self.pending.drain(..) {
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

fn line_of(snapshot: &Snapshot) -> Result<Vec<u8>, StoreError> {
    let line = SnapshotLine::of(snapshot).to_json();
    line.map_err(|error| StoreError::Backend(error.into()))
}
