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

/// Duration of the lease that an import takes. An interrupted import blocks its authority for this long.
const IMPORT_LEASE: Duration = Duration::from_secs(15);

const IMPORT_HOLDER: &str = "an import";

const IMPORT_PAGE_SNAPSHOTS: usize = 64;

/// A history of attempts to fetch robots.txt files.
///
/// # Guarantees
///
/// - *Append-only.* A snapshot never changes. Only [`Store::sweep`] deletes snapshots, unless
///   [`crate::StoreSettings`] set a quota or a retention. A store in memory also evicts whole authorities when it
///   reaches its bound.
/// - *Order.* Snapshots are listed in the order of puts, even if a clock went back in between. The snapshot in force at
///   a time is the one whose attempt ended last by then, and the last one put among those of one second.
/// - *Bodies once.* A body is stored once, however many authorities and snapshots refer to it.
/// - *Durability.* Once [`Store::put`] has returned, every caller sees the snapshot. In [`crate::SqliteStore`] it also
///   survives a crash of the process and a power failure.
/// - *One writer per authority.* Only the holder of the newest lease can put, so a process cannot overwrite knowledge
///   that is newer than its own. An expired lease is valid for a put until another one is granted, because the fetched
///   result is still true.
/// - *Time is an argument.* No store reads a clock. In a database that several machines share, leases expire by the
///   clock of the database.
///
/// Calls block. Make them on a thread that may block, unless [`Store::call_cost`] says that they return immediately.
pub trait Store: Send + Sync {
    /// Returns whether a call may wait for something slow. Default: [`CallCost::MayWait`].
    fn call_cost(&self) -> CallCost {
        CallCost::MayWait
    }

    /// Acquires the lease on `authority` for `holder`, for `duration` from `now`.
    ///
    /// While a lease is live, no other is granted, not even to its holder, because two tasks of one process would fetch
    /// twice. `duration` should exceed the duration of a fetch.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails or a store in memory is full.
    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError>;

    /// Extends a lease for `duration` from `now`, with the same token.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError::LeaseLost`] if another lease was granted since, or this one was used or released.
    fn renew(&self, lease: &Lease, now: Timestamp, duration: Duration)
    -> Result<Lease, StoreError>;

    /// Releases a lease without a put. Does nothing if the lease is lost.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn release(&self, lease: &Lease) -> Result<(), StoreError>;

    /// Calls `wake` whenever another holder's lease on `authority` ends, until the returned value is dropped. Returns
    /// `None` (the default) if the store is not notified. An end may be missed, so a caller that waits also polls.
    fn watch(&self, _authority: &Authority, _wake: Wake) -> Option<Box<dyn Send + Sync>> {
        None
    }

    /// Appends a snapshot and releases the lease.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError::LeaseLost`] or [`StoreError::LeaseOfOther`] if the lease is not the newest one of the
    /// observed authority, and an error if the store fails. In all cases nothing was put.
    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError>;

    /// Appends several snapshots, each like [`Store::put`], and returns their results in the same order. A store in a
    /// file syncs the disk once, so this is much faster than single puts.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails as a whole. Then nothing was put. An error of one snapshot, such as a lost
    /// lease, is its result, and the others are put.
    fn put_all(
        &self,
        puts: &[(&Observation, &Lease)],
    ) -> Result<Vec<Result<SnapshotId, StoreError>>, StoreError> {
        let put = |&(observation, lease): &(_, _)| self.put(observation, lease);
        Ok(puts.iter().map(put).collect())
    }

    /// Appends the snapshots of a history from another store, oldest first. The lease stays valid. Imports use this.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Store::put`]. Then a store in a file has appended nothing. A store in memory that became
    /// full has appended the first ones.
    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError>;

    /// Continues the histories of several authorities for [`crate::import`]: appends the snapshots that follow what the
    /// store has, and counts the others. Skips an authority that is being fetched. A store in a file uses one
    /// transaction. Other stores renew their lease by `now`, which returns the time.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails. Then a store in a file has appended nothing. Another store may have
    /// appended to some histories.
    fn append_histories(
        &self,
        histories: &mut [HistoryImport],
        now: &dyn Fn() -> Timestamp,
    ) -> Result<(), StoreError> {
        let mut each = histories.iter_mut();
        each.try_for_each(|history| append_history(self, history, now))
    }

    /// Returns the state of an authority that was put last, or `None` if it has no snapshot. If the clock was behind at
    /// that put, the state has expired already, so a client fetches again.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError>;

    /// Returns the latest states of several authorities in their order, like [`Store::latest`]. A database gets one
    /// query, with the deadline of one. All bodies are in memory together.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails as a whole. An error of one authority, such as a damaged snapshot, is its
    /// result.
    fn latest_many(
        &self,
        authorities: &[Authority],
    ) -> Result<Vec<Result<Option<StoredState>, StoreError>>, StoreError> {
        Ok(authorities.iter().map(|it| self.latest(it)).collect())
    }

    /// Returns the state of an authority at a time, or `None` if nothing was known then. An attempt that ended in that
    /// second is included.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn state_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError>;

    /// Returns the states of several authorities at a time in their order, like [`Store::state_at`], for a long job. A
    /// database gets one query. All bodies are in memory together.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn states_at(
        &self,
        authorities: &[Authority],
        at: Timestamp,
    ) -> Result<Vec<Option<StoredState>>, StoreError> {
        let each = authorities.iter().map(|it| self.state_at(it, at));
        each.collect()
    }

    /// Returns at most `snapshots_max` snapshots after `after` whose attempts ended during a time, oldest first. To
    /// read a longer history, call again with the last id.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError>;

    /// Returns at most `snapshots_max` snapshots that were put before `before`, newest first. To read a longer history,
    /// call again with the last id.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn snapshots_before(
        &self,
        authority: &Authority,
        before: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError>;

    /// Returns whether the facts of hops ([`Observation::facts`]) are stored. Default: `false`, as for a store in
    /// memory, in which they would take the space of other sites.
    fn keeps_facts(&self) -> bool {
        false
    }

    /// Returns the facts of the hops of the snapshots in a range of ids, by id. A snapshot has no facts if its
    /// transport reports none, or if it comes from an older store or export.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn facts(
        &self,
        _authority: &Authority,
        _ids: RangeInclusive<SnapshotId>,
    ) -> Result<Vec<(SnapshotId, PackedFacts)>, StoreError> {
        Ok(Vec::new())
    }

    /// Returns the bytes of a body, or `None` if no body has this hash, or its bytes are damaged.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError>;

    /// Returns the last change of an authority that a receiver accepted, or `None`.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn delivery(
        &self,
        authority: &Authority,
        receiver: &str,
    ) -> Result<Option<Delivery>, StoreError>;

    /// Stores the last change that a receiver accepted, replacing the previous one. Deliveries are local and not
    /// exported. A store in memory evicts them together with the authority.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails or a store in memory is full.
    fn put_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<(), StoreError>;

    /// Deletes the snapshots of every authority before the one in force at `keep_from`, by the times of the attempts, then
    /// bodies without a snapshot, leases expired at `now`, and deliveries before `keep_from` of authorities without a
    /// later snapshot.
    ///
    /// The snapshot of an authority that was put last is always kept, and with it the last good copy, however old.
    /// [`Store::state_at`] returns the same as before for `keep_from` and later. But an authority is forgotten if each of
    /// its attempts failed before `keep_from` and no copy is known.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails. Deletions before the failure are permanent. A store in a file sweeps the
    /// other authorities before it returns the error of one.
    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError>;

    /// Returns at most `authorities_max` authorities after `after` that have a snapshot, in the order of their names.
    /// To read all, call again with the last one.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError>;

    /// Returns the size of the store.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn stat(&self) -> Result<Stat, StoreError>;
}

/// The callback of [`Store::watch`]. It runs on a thread of the store and must return immediately.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// How long a call of a store may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallCost {
    /// A call may wait for a disk, a network or another process. Make it on a thread that may block.
    MayWait,
    /// A call works in memory and may run on any thread. Its time depends only on the length of a body, which is
    /// hashed.
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
