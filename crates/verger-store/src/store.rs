//! `Store`: what every store promises, and how it fails.

use core::ops::Range;
use core::time::Duration;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::standing::Standing;
use crate::stat::{Stat, Swept};

/// A store of what was seen, when.
///
/// # What it promises
///
/// - *Append-only.* A snapshot is never changed, and only [`Store::sweep`] takes some away. (A
///   store in memory also forgets whole authorities where its bound is reached.)
/// - *Order.* Snapshots stand in the order in which they were put, also where a clock has gone back
///   in between. In force at a time is the one put last among those that had ended by then.
/// - *Bodies once.* A body is stored once, however many authorities and snapshots have it.
/// - *Acknowledged is kept.* What [`Store::put`] has answered is there for everyone who asks
///   afterwards. In [`crate::SqliteStore`] it also outlives the process and the power.
/// - *One writer an authority.* Only who holds the newest lease puts; so nobody overwrites
///   knowledge that is newer than what he began with. A lease that has expired is good for putting
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

    /// Gives a lease back without having seen anything. One that was lost is nobody's concern.
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

    /// How things stand with an authority; `None` where it was never seen.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    fn latest(&self, authority: &Authority) -> Result<Option<Standing>, StoreError>;

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
    ) -> Result<Option<Standing>, StoreError>;

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

    /// The octets of a body; `None` where there is none of that hash.
    ///
    /// # Errors
    ///
    /// Where the store fails, or the octets are not those of the hash any more.
    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError>;

    /// Gives up what has no say about `keep_from` and later: of every authority the snapshots
    /// before the one in force at `keep_from`, then bodies that nothing needs, and leases expired
    /// at `now`.
    ///
    /// The latest snapshot of an authority is always kept, and with it the last good copy, however
    /// old. Every question about `keep_from` or later has the answer that it had before.
    ///
    /// # Errors
    ///
    /// Where the store fails; then nothing was given up.
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

/// Why a store did not do what it was asked.
#[derive(Debug)]
pub enum StoreError {
    /// Another lease was granted since, or this one was used or given back.
    LeaseLost(Box<Authority>),
    /// The lease is one for another authority than the one that was seen.
    LeaseOfOther {
        /// What the lease is for.
        lease: Box<Authority>,
        /// What was seen.
        seen: Box<Authority>,
    },
    /// A store in memory has reached its bound, and nothing in it may be forgotten.
    Full {
        /// The bound.
        octets_max: usize,
    },
    /// The disk is full. What was acknowledged is kept.
    DiskFull,
    /// Another process wrote for longer than is waited.
    Busy,
    /// The store was opened for reading alone, or its file may not be written to.
    ReadOnly,
    /// What is read is not what was written.
    Damaged(String),
    /// Anything else that a backend meets.
    Backend(Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// Where another lease than `lease` is the newest one.
    pub(crate) fn lost(lease: &Lease) -> Self {
        Self::LeaseLost(Box::new(lease.authority.clone()))
    }

    /// An error where `lease` is not one for what was seen.
    pub(crate) fn unless_for(lease: &Lease, seen: &Authority) -> Result<(), Self> {
        if lease.authority == *seen {
            return Ok(());
        }
        Err(Self::LeaseOfOther {
            lease: Box::new(lease.authority.clone()),
            seen: Box::new(seen.clone()),
        })
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeaseLost(authority) => write!(
                f,
                "the lease on {authority} is not held any more: acquire one and fetch again"
            ),
            Self::LeaseOfOther { lease, seen } => write!(
                f,
                "a lease on {lease} is not one on {seen}: acquire one on what is fetched"
            ),
            Self::Full { octets_max } => write!(
                f,
                "the store may take {octets_max} octets, and all that is left in it is being \
                 fetched: allow it more octets, or fetch fewer authorities at once"
            ),
            Self::DiskFull => f.write_str(
                "the disk is full: make room and try again; what was acknowledged is kept",
            ),
            Self::Busy => {
                f.write_str("another process kept the store busy for too long: try again")
            }
            Self::ReadOnly => f.write_str(
                "the store can only be read: open it where its file and directory may be written \
                 to, or name another file",
            ),
            Self::Damaged(what) => write!(
                f,
                "the store is damaged ({what}): move the file away, or restore it from a backup"
            ),
            Self::Backend(error) => write!(f, "the store failed: {error}"),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Backend(error) => Some(error.as_ref()),
            Self::LeaseLost(_)
            | Self::LeaseOfOther { .. }
            | Self::Full { .. }
            | Self::DiskFull
            | Self::Busy
            | Self::ReadOnly
            | Self::Damaged(_) => None,
        }
    }
}
