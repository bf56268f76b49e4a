//! What follows from the snapshots of one authority that an import meets in a row.
//!
//! | a snapshot | is |
//! |---|---|
//! | that is there already, to the last value | skipped: importing twice adds nothing |
//! | that follows on the one that was put last | appended: the history goes on |
//! | that ended later than all that is there | appended |
//! | of an attempt that says nothing about the site | skipped |
//! | any other | skipped: nothing is put before, or in place of, what is newer |

use core::ops::ControlFlow;
use core::time::Duration;
use std::collections::BTreeMap;

use verger_access::{Authority, LastAttempt, Timestamp};

use crate::body_hash::BodyHash;
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::store::{Store, StoreError};
use crate::store_line::SnapshotLine;

/// How long an import holds an authority without saying anything.
const LEASE: Duration = Duration::from_secs(600);

const HOLDER: &str = "an import";

/// So many snapshots, or so many octets of their lines and bodies, are appended at once.
const PENDING_MAX: usize = 256;
const PENDING_OCTETS_MAX: usize = 8 << 20;

const SNAPSHOTS_A_PAGE: usize = 64;

/// Which snapshot it is: the hash of its line.
type LineHash = BodyHash;

/// What became of snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) appended: u64,
    pub(crate) already_there: u64,
    pub(crate) skipped: u64,
}

/// The snapshots of one authority, one after the other.
pub(crate) struct ImportSection {
    authority: Authority,
    /// `None` where somebody else fetches the authority, or took it over.
    lease: Option<Lease>,
    /// What is there, each as often as it has not been met yet.
    known: BTreeMap<LineHash, u64>,
    /// The latest end of an attempt that was there before.
    latest: Option<Timestamp>,
    /// The one that was put last.
    newest: Option<LineHash>,
    previous: Option<LineHash>,
    pending: Vec<Observation>,
    pending_octets: usize,
    tally: Tally,
}

impl ImportSection {
    /// Takes the authority's lease and looks what is there. It takes some 100 octets for each
    /// snapshot of the authority.
    pub(crate) fn begin(
        store: &dyn Store,
        authority: Authority,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let lease = match store.acquire(&authority, HOLDER, now, LEASE)? {
            Acquisition::Granted(lease) => Some(lease),
            Acquisition::HeldUntil { .. } => None,
        };
        let mut section = Self {
            authority,
            lease,
            known: BTreeMap::new(),
            latest: None,
            newest: None,
            previous: None,
            pending: Vec::new(),
            pending_octets: 0,
            tally: Tally::default(),
        };
        match section.look(store) {
            Ok(()) => Ok(section),
            Err(error) => {
                section.release(store)?;
                Err(error)
            }
        }
    }

    fn look(&mut self, store: &dyn Store) -> Result<(), StoreError> {
        let ever = Timestamp::default()..Timestamp::from_unix_seconds(u64::MAX);
        let mut after = SnapshotId::BEFORE_ALL;
        loop {
            let page = store.snapshots(&self.authority, ever.clone(), after, SNAPSHOTS_A_PAGE)?;
            let Some(last) = page.last() else {
                return Ok(());
            };
            after = last.id;
            for snapshot in &page {
                let hash = LineHash::of(&line_of(snapshot)?);
                *self.known.entry(hash).or_default() += 1;
                self.newest = Some(hash);
                self.latest = self.latest.max(Some(snapshot.attempt.at));
            }
        }
    }

    /// Whether this is the section of that authority.
    pub(crate) fn is_of(&self, authority: &Authority) -> bool {
        self.authority == *authority
    }

    /// Takes the next snapshot.
    pub(crate) fn take(
        &mut self,
        store: &dyn Store,
        observation: Observation,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let line = line_of(&Snapshot::of(SnapshotId::BEFORE_ALL, &observation))?;
        let hash = LineHash::of(&line);
        let previous = self.previous.replace(hash);
        let goes_on = previous == self.newest;
        let LastAttempt {
            at: ended, outcome, ..
        } = observation.attempt.last;
        match self.known.get_mut(&hash) {
            Some(times) if *times > 0 => {
                *times -= 1;
                self.tally.already_there += 1;
                return Ok(());
            }
            // Met before, and not just now: the file repeats itself.
            Some(_) if previous != Some(hash) => {
                self.tally.already_there += 1;
                return Ok(());
            }
            _ => {}
        }
        let is_later = self.latest.is_none_or(|latest| ended > latest);
        let is_next = goes_on || is_later;
        if self.lease.is_none() || !is_next {
            self.tally.skipped += 1;
            return Ok(());
        }
        self.newest = Some(hash);
        if !outcome.is_about_the_site() {
            self.tally.skipped += 1;
            return Ok(());
        }
        self.known.insert(hash, 0);
        let copies = [&observation.attempt.copy, &observation.knowledge.copy];
        let octets = copies.into_iter().flatten().map(|copy| copy.body.len());
        self.pending_octets += line.len() + octets.sum::<usize>();
        self.pending.push(observation);
        let is_full =
            self.pending.len() >= PENDING_MAX || self.pending_octets >= PENDING_OCTETS_MAX;
        if is_full {
            self.append(store, now)?;
        }
        Ok(())
    }

    /// Appends what is left, gives the lease back, and says what became of all.
    pub(crate) fn end(
        mut self,
        store: &dyn Store,
        now: Timestamp,
    ) -> Result<(Authority, Tally), StoreError> {
        let appended = self.append(store, now);
        self.release(store)?;
        appended?;
        Ok((self.authority, self.tally))
    }

    fn append(&mut self, store: &dyn Store, now: Timestamp) -> Result<(), StoreError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        self.pending_octets = 0;
        let Some(lease) = self.lease.take() else {
            return Ok(());
        };
        match append(store, &pending, &lease, now)? {
            ControlFlow::Continue(lease) => {
                self.lease = Some(lease);
                self.tally.appended += pending.len() as u64;
            }
            ControlFlow::Break(()) => self.tally.skipped += pending.len() as u64,
        }
        Ok(())
    }

    fn release(&mut self, store: &dyn Store) -> Result<(), StoreError> {
        match self.lease.take() {
            Some(lease) => store.release(&lease),
            None => Ok(()),
        }
    }
}

/// Appends, and hands out the lease as long as it is held.
fn append(
    store: &dyn Store,
    pending: &[Observation],
    lease: &Lease,
    now: Timestamp,
) -> Result<ControlFlow<(), Lease>, StoreError> {
    let appended = store
        .renew(lease, now, LEASE)
        .and_then(|lease| store.append(pending, &lease).map(|_| lease));
    match appended {
        Ok(lease) => Ok(ControlFlow::Continue(lease)),
        Err(StoreError::LeaseLost(_)) => Ok(ControlFlow::Break(())),
        Err(error) => {
            store.release(lease)?;
            Err(error)
        }
    }
}

fn line_of(snapshot: &Snapshot) -> Result<Vec<u8>, StoreError> {
    let line = SnapshotLine::of(snapshot).to_json();
    line.map_err(|error| StoreError::Backend(error.into()))
}
