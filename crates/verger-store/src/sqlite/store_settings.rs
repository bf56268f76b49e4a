//! `StoreSettings`: how much a store in a file keeps.

use core::time::Duration;

/// How much a store in a file keeps, beside what [`crate::Store::sweep`] is called for. Everything,
/// unless something else is set.
///
/// What is given up is the oldest of its authority. The newest snapshot is always kept, and with it
/// the last good copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreSettings {
    /// The most snapshots of one authority. Where there are more, the oldest go until an eighth of
    /// the quota is free, so that the next puts need not count again.
    pub authority_snapshots_max: Option<u64>,
    /// The most octets of one authority: its snapshots, and each body that they name once, also
    /// where other authorities have it too. Where there are more, an eighth is made free.
    pub authority_octets_max: Option<u64>,
    /// A sweep that runs by itself, in pieces.
    pub sweep: Option<SweepSchedule>,
}

/// A sweep that runs by itself: with each put it looks at a few authorities, until it has seen all.
///
/// A store has no clock: the time is that of the attempts that are put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepSchedule {
    /// How much history is kept, as [`crate::Store::sweep`] does from a time on.
    pub keep: Duration,
    /// How long after the beginning of one sweep the next one begins.
    pub every: Duration,
}
