//! `StoreSettings`: how much a store in a file keeps.

use core::time::Duration;

/// How much a store in a file keeps by itself, apart from calls of [`crate::Store::sweep`]. Default:
/// everything.
///
/// The oldest snapshots of an authority are deleted first. The newest one is always kept, and with it
/// the last good copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreSettings {
    /// The quota of snapshots of one authority. If there are more, the oldest are deleted until an
    /// eighth of the quota is free, so the next puts need not count again.
    pub authority_snapshots_max: Option<u64>,
    /// The quota of bytes of one authority: its snapshots, and each body that they refer to once,
    /// also where other authorities share it. If there are more, an eighth is made free.
    pub authority_bytes_max: Option<u64>,
    /// Sweep old snapshots in small steps, with each put.
    pub sweep: Option<SweepSchedule>,
}

/// An incremental sweep: each put sweeps a few authorities, until all are swept.
///
/// A store has no clock: the time is that of the attempts that are put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SweepSchedule {
    /// The retention: snapshots in force within this time before now are kept ([`crate::Store::sweep`]).
    pub keep: Duration,
    /// The time from the beginning of one sweep to the beginning of the next.
    pub every: Duration,
}

impl SweepSchedule {
    /// Keeps snapshots in force within `keep`, and begins a sweep after each `every`.
    pub fn new(keep: Duration, every: Duration) -> Self {
        Self { keep, every }
    }
}
