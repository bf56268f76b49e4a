//! `Stat` and `Swept`: how much a store holds, and how much it gave up.

use verger_access::Timestamp;

/// How much a store holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// Authorities with at least one snapshot.
    pub authorities: u64,
    /// Snapshots.
    pub snapshots: u64,
    /// Different bodies.
    pub bodies: u64,
    /// Octets of these bodies.
    pub body_octets: u64,
    /// Leases that were granted and neither given back nor used, expired ones included.
    pub leases: u64,
    /// Octets that the whole takes: an estimate in memory, the pages of the file in `SQLite`.
    pub octets: u64,
    /// When the attempt of the snapshot ended that was put first among those that are left.
    pub first_ended_at: Option<Timestamp>,
    /// When the attempt of the snapshot ended that was put last.
    pub last_ended_at: Option<Timestamp>,
}

/// What a sweep took away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Snapshots that were in force only before the time from which all is kept.
    pub snapshots: u64,
    /// Bodies that no snapshot and no knowledge needs any more.
    pub bodies: u64,
    /// Leases that had expired.
    pub leases: u64,
}
