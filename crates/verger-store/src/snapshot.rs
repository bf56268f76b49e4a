//! `Snapshot`: what was seen of one authority at one time.

use std::net::IpAddr;

use verger_access::{Authority, Hop, LastAttempt, Timestamp};

use crate::body_hash::BodyHash;
use crate::kept_headers::KeptHeaders;

/// The number of a snapshot in its store, in the order in which they were put; never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SnapshotId(pub u64);

impl SnapshotId {
    /// Before every snapshot: where reading a history begins.
    pub const BEFORE_ALL: Self = Self(0);
}

/// Which body a snapshot has; the octets are stored once, apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyAddress {
    /// The hash of its octets.
    pub hash: BodyHash,
    /// How many there are.
    pub octets: u64,
}

/// One ended attempt to fetch a robots.txt, as it is kept. It is never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its number.
    pub id: SnapshotId,
    /// Whose robots.txt was asked for.
    pub authority: Authority,
    /// When the attempt ended, what became of it, and what the last response said about time.
    pub attempt: LastAttempt,
    /// Every request and its reply, in order.
    pub hops: Vec<Hop>,
    /// The headers of the last response that are kept.
    pub headers: KeptHeaders,
    /// The address that the last request went to, where that is known.
    pub peer: Option<IpAddr>,
    /// When the authority was to be asked again, as the profile of that day had it.
    pub fresh_until: Timestamp,
    /// The body, where the attempt was successful.
    pub body: Option<BodyAddress>,
}
