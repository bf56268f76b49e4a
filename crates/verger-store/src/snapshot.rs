//! `Snapshot`: one attempt to fetch the robots.txt of an authority.

use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;

use verger_access::{
    Authority, FailureStreak, Hop, Knowledge, LastAttempt, Outcome, Timestamp, Warning,
};

use crate::kept_copy::{BodyDigest, KeptCopy};
use crate::kept_headers::KeptHeaders;
use crate::observation::Observation;

/// The number of a snapshot in its store. Numbers increase in the order of puts and are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SnapshotId(pub u64);

impl SnapshotId {
    /// The id before all snapshots, at which reading a history begins.
    pub const BEFORE_ALL: Self = Self(0);

    /// The id after all snapshots, at which reading a history backwards begins.
    pub const AFTER_ALL: Self = Self(u64::MAX);
}

/// One stored attempt to fetch a robots.txt. It never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The number of the snapshot.
    pub id: SnapshotId,
    /// The authority whose robots.txt was fetched.
    pub authority: Authority,
    /// The name of the profile ([`verger_access::Profile::name`]) that fetched, and that determined copy, streak and
    /// freshness.
    pub profile: Cow<'static, str>,
    /// When the attempt ended, its outcome, and the times that the last response stated.
    pub attempt: LastAttempt,
    /// Every request and its reply, in order.
    pub hops: Vec<Hop>,
    /// The stored headers of the last response.
    pub headers: KeptHeaders,
    /// Warnings for an operator about the attempt.
    pub warnings: Vec<Warning>,
    /// The IP address that the last request went to, if known.
    pub peer: Option<IpAddr>,
    /// When the authority was to be fetched again under that profile.
    pub fresh_until: Timestamp,
    /// The body, if the attempt was successful.
    pub body: Option<BodyDigest>,
    /// The last good copy after the attempt, however old.
    pub copy: Option<KeptCopy>,
    /// The failures in a row after the attempt.
    pub streak: Option<FailureStreak>,
}

impl Snapshot {
    /// Creates the snapshot of an observation that a store has numbered.
    pub fn new(id: SnapshotId, seen: &Observation) -> Self {
        let attempted = seen.attempt.copy.as_ref();
        let body = attempted.map(|copy| BodyDigest::new(&copy.body));
        let copy = seen.knowledge.copy.as_ref().map(|copy| {
            let is_one = attempted.is_some_and(|it| Arc::ptr_eq(&it.body, &copy.body));
            let shared = body.filter(|_| is_one);
            KeptCopy::of(copy, shared.unwrap_or_else(|| BodyDigest::new(&copy.body)))
        });
        Self {
            id,
            authority: seen.authority.clone(),
            profile: seen.profile.clone(),
            attempt: seen.attempt.last,
            hops: seen.attempt.hops.clone(),
            headers: seen.headers.clone(),
            warnings: seen.attempt.warnings.clone(),
            peer: seen.peer,
            fresh_until: seen.fresh_until,
            body,
            copy,
            streak: seen.knowledge.streak,
        }
    }

    /// Returns the knowledge after the snapshot. `bytes` is the body of its copy, or `None` if it is lost. A success
    /// whose body is lost is due for a fetch and allows nothing. A failure whose copy is lost counts as no knowledge,
    /// because a profile may allow everything after a while without a copy.
    pub(crate) fn knowledge(&self, bytes: Option<Arc<[u8]>>) -> Knowledge {
        let is_lost = self.copy.is_some() && bytes.is_none();
        if is_lost && !matches!(self.attempt.outcome, Outcome::Successful(_)) {
            return Knowledge::default();
        }
        let copy = self.copy.as_ref().zip(bytes);
        Knowledge {
            last: Some(self.attempt),
            copy: copy.map(|(copy, bytes)| copy.with_bytes(bytes)),
            streak: self.streak,
        }
    }
}
