use verger_store::SnapshotId;

/// When to fetch a robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// Fetch if nothing is known or the knowledge has expired.
    WhereDue,
    /// Always fetch, in an attempt that begins after the call.
    Now,
    /// Fetch unless a newer snapshot than this one is known, even before expiry. If processes that
    /// share a store refresh early, only one fetches.
    NewerThan(Option<SnapshotId>),
}
