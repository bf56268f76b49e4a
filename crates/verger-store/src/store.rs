//! `Store`: the interface of every store that a fetch needs, and its guarantees.

use core::ops::{Range, RangeInclusive};
use core::time::Duration;
use std::sync::Arc;

use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::packed_facts::PackedFacts;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::store_error::StoreError;
use crate::stored_state::StoredState;
use crate::turn::{Turn, TurnRequest};

/// A history of attempts to fetch robots.txt files.
///
/// # Guarantees
///
/// - *Append-only.* A snapshot never changes. Only [`crate::History::sweep`] deletes snapshots, unless
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

    /// Takes the next turn to send a request to a site, among all processes that share the store. The default, for
    /// stores of one process, is to send it at once: the caller knows its own requests.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails or is read-only.
    fn take_turn(&self, _request: &TurnRequest) -> Result<Turn, StoreError> {
        Ok(Turn::In(Duration::ZERO))
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
