//! `StoreSettings`: quotas and retention of a store in a file.

use core::time::Duration;

/// The deletions that a store in a file makes by itself, in addition to calls of [`crate::History::sweep`]. Default:
/// none.
///
/// The oldest snapshots of an authority are deleted first. The newest one is always kept, with the last good copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreSettings {
    /// Maximum number of snapshots of one authority. Above it, the oldest are deleted until an eighth of the quota is
    /// free, so the next puts need not count again.
    pub authority_snapshots_max: Option<u64>,
    /// Maximum number of bytes of one authority: its snapshots, plus each body that they refer to, even if other
    /// authorities share it. Above it, an eighth is freed.
    pub authority_bytes_max: Option<u64>,
    /// Whether to sweep old snapshots in small steps, with each put.
    pub sweep: Option<SweepSchedule>,
}

/// An incremental sweep. Each put sweeps a few authorities, until all are swept. The time is that of the attempts that
/// are put, because a store has no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SweepSchedule {
    /// How long snapshots are kept after they were last in force ([`crate::History::sweep`]).
    pub keep: Duration,
    /// The time between the starts of two sweeps.
    pub every: Duration,
}

impl SweepSchedule {
    /// Creates a schedule that keeps snapshots in force within `keep`, and starts a sweep after each `every`.
    pub fn new(keep: Duration, every: Duration) -> Self {
        Self { keep, every }
    }
}
