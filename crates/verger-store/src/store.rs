//! `Store`: the interface of every store, and its guarantees.

use core::ops::{Range, RangeInclusive};
use core::time::Duration;
use std::sync::Arc;

use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::delivery::Delivery;
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::packed_facts::PackedFacts;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::stat::{Stat, Swept};
use crate::store_error::StoreError;
use crate::stored_state::StoredState;
use crate::transfer::history_import::{HistoryImport, LeaseState};

/// The duration of the lease that an import takes on an authority: as long does one that was interrupted block it.
const IMPORT_LEASE: Duration = Duration::from_secs(15);

const IMPORT_HOLDER: &str = "an import";

const IMPORT_PAGE_SNAPSHOTS: usize = 64;

/// A history of attempts to fetch robots.txt files.
///
/// # Guarantees
///
/// - *Append-only.* A snapshot is never changed, and only [`Store::sweep`] deletes any, unless
///   [`crate::StoreSettings`] set a quota or a retention. (A store in memory also evicts whole
///   authorities where its bound is reached.)
/// - *Order.* Snapshots are in the order of puts, also where a clock has gone back in between. In
///   force at a time is the last one in that order whose attempt had ended by then.
/// - *Bodies once.* A body is stored once, however many authorities and snapshots refer to it.
/// - *Durability.* Once [`Store::put`] has returned, every caller sees the snapshot. In
///   [`crate::SqliteStore`] it also survives a crash of the process and a loss of power.
/// - *One writer per authority.* Only the holder of the newest lease can put, so that no process
///   overwrites knowledge that is newer than what it began with. An expired lease is valid for a put
///   until another one is granted: what was fetched is true all the same.
/// - *Time is an argument.* No store reads a clock. (In a database that several machines share, leases expire by its own.)
///
/// The calls block: make them on a thread that may block, unless [`Store::call_cost`] says that they
/// return at once.
pub trait Store: Send + Sync {
    /// Whether a call may wait for something slow. Default: [`CallCost::MayWait`].
    fn call_cost(&self) -> CallCost {
        CallCost::MayWait
    }

    /// Acquires the lease on `authority` for `holder`, for `duration` from `now`.
    ///
    /// While a lease is live, no other is granted, not even to its holder: otherwise two tasks of one
    /// process would fetch twice. `duration` should be longer than a fetch may take.
    ///
    /// # Errors
    ///
    /// Where the store fails, or a store in memory is full.
    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError>;

    /// Extends a lease for `duration` from `now`, under the same token.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] where another one was granted since, or this one was used or
    /// released.
    fn renew(&self, lease: &Lease, now: Timestamp, duration: Duration)
    -> Result<Lease, StoreError>;

    /// Releases a lease without a put. Does nothing where the lease is lost.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn release(&self, lease: &Lease) -> Result<(), StoreError>;

    /// Calls `wake` after each end of another holder's lease on `authority`, until the returned value is dropped. `None`
    /// (the default) where the store learns of none. An end may be missed, so a caller that waits also polls.
    fn watch(&self, _authority: &Authority, _wake: Wake) -> Option<Box<dyn Send + Sync>> {
        None
    }

    /// Appends a snapshot, and releases the lease.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] and [`StoreError::LeaseOfOther`] where the lease is not the newest
    /// one of the observed authority; where the store fails. Then nothing was put.
    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError>;

    /// Appends several snapshots, each as [`Store::put`] does, and returns their results in the same
    /// order. A store in a file waits for the disk once, so many at a time are much faster than one by
    /// one.
    ///
    /// # Errors
    ///
    /// Where the store fails as a whole; then nothing was put. An error of one of them, such as a lost
    /// lease, is its result, and the others are put.
    fn put_all(
        &self,
        puts: &[(&Observation, &Lease)],
    ) -> Result<Vec<Result<SnapshotId, StoreError>>, StoreError> {
        let put = |&(observation, lease): &(_, _)| self.put(observation, lease);
        Ok(puts.iter().map(put).collect())
    }

    /// Appends the snapshots of a history from another store, oldest first. The lease stays valid. An
    /// import needs this; a crawler does not.
    ///
    /// # Errors
    ///
    /// As [`Store::put`]. Then a store in a file has appended none of them; a store in memory that has
    /// become full has appended the first ones.
    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError>;

    /// Continues the histories of several authorities for [`crate::import`]: appends the snapshots of
    /// each that come after what the store has, and counts the others. An authority that is being
    /// fetched is skipped. A store in a file does all of it in one transaction; another renews its lease by `now`,
    /// which returns the time.
    ///
    /// # Errors
    ///
    /// Where the store fails. Then a store in a file has appended nothing; another store may have
    /// appended to some histories.
    fn append_histories(
        &self,
        histories: &mut [HistoryImport],
        now: &dyn Fn() -> Timestamp,
    ) -> Result<(), StoreError> {
        let mut each = histories.iter_mut();
        each.try_for_each(|history| append_history(self, history, now))
    }

    /// Returns the latest state of an authority; `None` where it has no snapshot.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError>;

    /// Returns the latest states of several authorities, as [`Store::latest`] does, in their order. A database is asked
    /// once, and has as long to answer as for one. All bodies are in memory together.
    ///
    /// # Errors
    ///
    /// Where the store fails as a whole. An error of one of them, such as a damaged snapshot, is its result.
    fn latest_many(
        &self,
        authorities: &[Authority],
    ) -> Result<Vec<Result<Option<StoredState>, StoreError>>, StoreError> {
        Ok(authorities.iter().map(|it| self.latest(it)).collect())
    }

    /// Returns the state of an authority at a time; `None` where nothing was known then. An attempt
    /// that ended in that very second counts.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn state_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError>;

    /// Returns the states of several authorities at a time, as [`Store::state_at`] does, in their order: for a long job. A
    /// database is asked once. All bodies are in memory together.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn states_at(
        &self,
        authorities: &[Authority],
        at: Timestamp,
    ) -> Result<Vec<Option<StoredState>>, StoreError> {
        let each = authorities.iter().map(|it| self.state_at(it, at));
        each.collect()
    }

    /// Returns the snapshots after `after` whose attempts ended during a time, oldest first, at most
    /// `snapshots_max`. To read a longer history, call again with the last id.
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

    /// Returns the snapshots that were put before `before`, newest first, at most `snapshots_max`. To
    /// read a longer history, call again with the last id.
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

    /// Whether the facts of hops ([`Observation::facts`]) are kept. Default: they are not, as in a store in memory, where
    /// each would take the room of another host.
    fn keeps_facts(&self) -> bool {
        false
    }

    /// Returns the facts of the hops of those snapshots of an authority whose ids are in a range, by id. Snapshots without
    /// any are left out: those of a transport that knew none, of an older store or an older export.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn facts(
        &self,
        _authority: &Authority,
        _ids: RangeInclusive<SnapshotId>,
    ) -> Result<Vec<(SnapshotId, PackedFacts)>, StoreError> {
        Ok(Vec::new())
    }

    /// Returns the bytes of a body; `None` where there is none of that hash, or its bytes are
    /// damaged and do not have the hash any more.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError>;

    /// Returns what a receiver of changes took last of an authority; `None` where nothing was put for it.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn delivery(
        &self,
        authority: &Authority,
        receiver: &str,
    ) -> Result<Option<Delivery>, StoreError>;

    /// Puts the last change that a receiver took, in place of the one before. It is of this place, and no part of an
    /// export. (A store in memory evicts it together with the authority.)
    ///
    /// # Errors
    ///
    /// Where the store fails, or a store in memory is full.
    fn put_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<(), StoreError>;

    /// Deletes the snapshots of every authority before the one in force at `keep_from`, then bodies that no
    /// snapshot refers to, and leases expired at `now`. None of them has an effect on `keep_from` or later.
    /// Deletes the deliveries before `keep_from` of authorities without a snapshot since, too.
    ///
    /// The latest snapshot of an authority is always kept, and with it the last good copy, however
    /// old. [`Store::state_at`] returns the same as before for `keep_from` and later.
    ///
    /// # Errors
    ///
    /// Where the store fails; what was deleted stays deleted. Where a store in a file fails at one
    /// authority, it sweeps the others before it returns the error.
    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError>;

    /// Returns the authorities after `after` with at least one snapshot, in the order of their names,
    /// at most `authorities_max`. To read all, call again with the last one.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError>;

    /// Returns the size of the store.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn stat(&self) -> Result<Stat, StoreError>;
}

/// The function that a store calls for [`Store::watch`], on a thread of its own: it must return at once.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Whether the calls of a store may wait for something slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallCost {
    /// A call may wait for a disk, a network or another process: make it on a thread that may block.
    MayWait,
    /// A call works in memory and may run on any thread. Its time depends only on the length of a
    /// body, which is hashed.
    Immediate,
}

/// Imports a history into a store without transactions, under a lease.
fn append_history<S: Store + ?Sized>(
    store: &S,
    history: &mut HistoryImport,
    now: &dyn Fn() -> Timestamp,
) -> Result<(), StoreError> {
    let authority = history.authority().clone();
    match store.acquire(&authority, IMPORT_HOLDER, now(), IMPORT_LEASE)? {
        Acquisition::HeldUntil { .. } => {
            load_stored(store, history, &|| Ok(()))?;
            history.resolve(LeaseState::Held);
            Ok(())
        }
        Acquisition::Granted(lease) => {
            let renew = || store.renew(&lease, now(), IMPORT_LEASE).map(drop);
            let appended = load_stored(store, history, &renew).and_then(|()| {
                let resolved = history.resolve(LeaseState::Free);
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

fn load_stored<S: Store + ?Sized>(
    store: &S,
    history: &mut HistoryImport,
    renew: &dyn Fn() -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let newest = store.snapshots_before(history.authority(), SnapshotId::AFTER_ALL, 1)?;
    let newest = newest.first().map(|snapshot| snapshot.id);
    history.load_stored(newest, |authority, after| {
        let ever = Timestamp::default()..Timestamp::from_unix_seconds(u64::MAX);
        let page = store.snapshots(authority, ever, after, IMPORT_PAGE_SNAPSHOTS)?;
        // A long history may take longer than a lease.
        if page.len() == IMPORT_PAGE_SNAPSHOTS {
            renew()?;
        }
        Ok(page)
    })
}
