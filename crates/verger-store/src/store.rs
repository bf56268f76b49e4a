//! `Store`: what every store promises.

use core::ops::Range;
use core::time::Duration;
use std::sync::Arc;

use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::stat::{Stat, Swept};
use crate::store_error::StoreError;
use crate::stored_state::StoredState;
use crate::transfer::history_import::{Access, HistoryImport};

/// How long an import holds an authority.
const IMPORT_LEASE: Duration = Duration::from_secs(600);

const IMPORT_HOLDER: &str = "an import";

const IMPORT_PAGE_SNAPSHOTS: usize = 64;

/// A store of what was seen, when.
///
/// # What it promises
///
/// - *Append-only.* A snapshot is never changed, and only [`Store::sweep`] takes some away, unless
///   a store was told to keep less ([`crate::StoreSettings`]). (A store in memory also forgets whole
///   authorities where its bound is reached.)
/// - *Order.* Snapshots stand in the order in which they were put, also where a clock has gone back
///   in between. In force at a time is the one put last among those that had ended by then.
/// - *Bodies once.* A body is stored once, however many authorities and snapshots have it.
/// - *Acknowledged is kept.* What [`Store::put`] has answered is there for every caller
///   afterwards. In [`crate::SqliteStore`] it also outlives the process and the power.
/// - *One writer an authority.* Only the holder of the newest lease puts, so that no process overwrites
///   knowledge that is newer than what it began with. A lease that has expired is good for putting
///   until another one is granted: what was fetched is true all the same.
/// - *Time is an argument.* No store reads a clock.
///
/// The calls block. They are meant for a thread that may, unless [`Store::call_cost`] says that
/// they end at once.
pub trait Store: Send + Sync {
    /// Whether a call may wait for something slow; [`CallCost::MayWait`] unless a store says
    /// otherwise.
    fn call_cost(&self) -> CallCost {
        CallCost::MayWait
    }

    /// Asks for the right to fetch `authority`, on behalf of `holder`, for `duration` from `now`.
    ///
    /// A live lease is not granted again, not even to its holder: two tasks of one process would
    /// fetch twice. `duration` should be longer than a fetch may take.
    ///
    /// # Errors
    ///
    /// Where the store fails, or in memory is full.
    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError>;

    /// Holds a lease for `duration` from `now`, under the same token.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] where another one was granted since, or this one was used or given
    /// back.
    fn renew(&self, lease: &Lease, now: Timestamp, duration: Duration)
    -> Result<Lease, StoreError>;

    /// Gives a lease back without having seen anything. One that was lost needs no giving back.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn release(&self, lease: &Lease) -> Result<(), StoreError>;

    /// Appends a snapshot, and gives the lease back with it.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] and [`StoreError::LeaseOfOther`] where the lease is not the newest
    /// one of the authority that was seen; where the store fails. Then nothing was put.
    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError>;

    /// Appends several snapshots, each as [`Store::put`] does, and answers each in its place. A store
    /// in a file waits for the disk once, so many at a time are much faster than one by one.
    ///
    /// # Errors
    ///
    /// Where the store fails as a whole; then nothing was put. What is wrong with one of them, such
    /// as a lease that was lost, stands in its place, and the others are put.
    fn put_all(
        &self,
        puts: &[(&Observation, &Lease)],
    ) -> Result<Vec<Result<SnapshotId, StoreError>>, StoreError> {
        let put = |&(observation, lease): &(_, _)| self.put(observation, lease);
        Ok(puts.iter().map(put).collect())
    }

    /// Appends the snapshots of a history, oldest first, as they were once put in another store,
    /// and holds the lease on. Who only ever fetches has no need of it.
    ///
    /// # Errors
    ///
    /// As [`Store::put`] fails. Then a store in a file has none of them, and one in memory, which
    /// is too full for the rest, those that come first.
    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError>;

    /// Continues the histories of several authorities, as [`crate::import`] does: appends of each
    /// what follows on what the store has, and notes what became of the rest. An authority that
    /// is being fetched is skipped. A store in a file does all of it in one transaction.
    ///
    /// # Errors
    ///
    /// Where the store fails. Then a store in a file has appended nothing, and another one may have
    /// appended to some of them.
    fn append_histories(
        &self,
        histories: &mut [HistoryImport],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut each = histories.iter_mut();
        each.try_for_each(|history| append_history(self, history, now))
    }

    /// How things stand with an authority; `None` where it was never seen.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError>;

    /// How things stood at a time; `None` where nothing was known then. An attempt that ended in
    /// that very second counts.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn standing_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError>;

    /// The snapshots whose attempts ended during a time, those after `after` alone, at most
    /// `snapshots_max`, oldest first. A longer history is read by handing in the last id.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError>;

    /// The snapshots that were put before `before`, newest first, at most `snapshots_max`. A longer
    /// history is read by handing in the last id.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn snapshots_before(
        &self,
        authority: &Authority,
        before: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError>;

    /// The octets of a body; `None` where there is none of that hash, or its octets are not those of
    /// the hash any more.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError>;

    /// Deletes what has no effect on `keep_from` and later: of every authority the snapshots
    /// before the one in force at `keep_from`, then bodies that nothing needs, and leases expired
    /// at `now`.
    ///
    /// The latest snapshot of an authority is always kept, and with it the last good copy, however
    /// old. Every question about `keep_from` or later has the answer that it had before.
    ///
    /// # Errors
    ///
    /// Where the store fails; what was given up stays so. Where a store in a file cannot give up
    /// what one authority has, the others are swept before the error is returned.
    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError>;

    /// The authorities with at least one snapshot, those after `after` in the order of their names,
    /// at most `authorities_max`. All of them are read by handing in the last one.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError>;

    /// How much there is.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn stat(&self) -> Result<Stat, StoreError>;
}

/// Whether the calls of a store may wait for something slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallCost {
    /// A call may wait for a disk, a network or another process: it belongs on a thread that may
    /// block.
    MayWait,
    /// A call works in memory alone and may run on any thread. Only what takes the longer the longer
    /// a body is, as hashing it, takes time.
    Immediate,
}

/// Appends to a store that does so an authority at a time, under its lease.
fn append_history<S: Store + ?Sized>(
    store: &S,
    history: &mut HistoryImport,
    now: Timestamp,
) -> Result<(), StoreError> {
    let authority = history.authority().clone();
    match store.acquire(&authority, IMPORT_HOLDER, now, IMPORT_LEASE)? {
        Acquisition::HeldUntil { .. } => {
            look_into(store, history)?;
            history.resolve(Access::Held);
            Ok(())
        }
        Acquisition::Granted(lease) => {
            let appended = look_into(store, history).and_then(|()| {
                let resolved = history.resolve(Access::Free);
                store.append(&resolved, &lease)
            });
            let released = store.release(&lease);
            if let Some(last) = appended?.last() {
                history.note_appended(*last);
            }
            released
        }
    }
}

fn look_into<S: Store + ?Sized>(store: &S, history: &mut HistoryImport) -> Result<(), StoreError> {
    let newest = store.snapshots_before(history.authority(), SnapshotId::AFTER_ALL, 1)?;
    let newest = newest.first().map(|snapshot| snapshot.id);
    history.look(newest, |authority, after| {
        let ever = Timestamp::default()..Timestamp::from_unix_seconds(u64::MAX);
        store.snapshots(authority, ever, after, IMPORT_PAGE_SNAPSHOTS)
    })
}
