//! `Stat` and `Swept`: the size of a store, and the rows that a sweep deleted.

use serde::Serialize;
use verger_access::Timestamp;

/// The size of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stat {
    /// Authorities with at least one snapshot.
    pub authorities: u64,
    /// Snapshots.
    pub snapshots: u64,
    /// Distinct bodies.
    pub bodies: u64,
    /// Leases that were granted and neither released nor used, expired ones included.
    pub leases: u64,
    /// The sum of the lengths of bodies, in bytes.
    pub body_bytes: u64,
    /// Bytes that the whole store takes: an estimate in memory, and the pages of the file in `SQLite`.
    pub bytes: u64,
    /// When the attempt of the first snapshot ended, in the order of puts.
    pub first_ended_at: Option<Timestamp>,
    /// When the attempt of the last snapshot ended, in the order of puts.
    pub last_ended_at: Option<Timestamp>,
}

/// The rows that a sweep deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Snapshots that were in force only before the retained time.
    pub snapshots: u64,
    /// Bodies that no snapshot refers to any longer.
    pub bodies: u64,
    /// Expired leases.
    pub leases: u64,
    /// Deliveries about authorities that were not fetched since.
    pub deliveries: u64,
}
