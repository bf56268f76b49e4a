//! `Snapshot`: what was seen of one authority at one time.

use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;

use verger_access::{
    Authority, FailureStreak, Hop, Knowledge, LastAttempt, Outcome, Timestamp, Warning,
};

use crate::kept_copy::{BodyAddress, KeptCopy};
use crate::kept_headers::KeptHeaders;
use crate::observation::Observation;

/// The number of a snapshot in its store, in the order in which they were put; never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SnapshotId(pub u64);

impl SnapshotId {
    /// Before every snapshot: where reading a history begins.
    pub const BEFORE_ALL: Self = Self(0);

    /// After every snapshot: where reading a history backwards begins.
    pub const AFTER_ALL: Self = Self(u64::MAX);
}

/// One ended attempt to fetch a robots.txt, as it is kept. It is never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its number.
    pub id: SnapshotId,
    /// Whose robots.txt was asked for.
    pub authority: Authority,
    /// The name of the profile that fetched and counts: copy, streak and freshness are as it has
    /// them ([`verger_access::Profile::name`]).
    pub profile: Cow<'static, str>,
    /// When the attempt ended, what became of it, and what the last response said about time.
    pub attempt: LastAttempt,
    /// Every request and its reply, in order.
    pub hops: Vec<Hop>,
    /// The headers of the last response that are kept.
    pub headers: KeptHeaders,
    /// What an operator should know about the attempt.
    pub warnings: Vec<Warning>,
    /// The address that the last request went to, where that is known.
    pub peer: Option<IpAddr>,
    /// When the authority was to be asked again, as the profile had it.
    pub fresh_until: Timestamp,
    /// The body, where the attempt was successful.
    pub body: Option<BodyAddress>,
    /// The last good copy as it was known then, however old.
    pub copy: Option<KeptCopy>,
    /// The failures in a row as they were counted then.
    pub streak: Option<FailureStreak>,
}

impl Snapshot {
    /// What is kept of an observation under that number.
    pub(crate) fn of(id: SnapshotId, seen: &Observation) -> Self {
        let attempted = seen.attempt.copy.as_ref();
        let body = attempted.map(|copy| BodyAddress::of(&copy.body));
        let copy = seen.knowledge.copy.as_ref().map(|copy| {
            let is_one = attempted.is_some_and(|it| Arc::ptr_eq(&it.body, &copy.body));
            let shared = body.filter(|_| is_one);
            KeptCopy::of(copy, shared.unwrap_or_else(|| BodyAddress::of(&copy.body)))
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

    /// What was known with it; the octets of its copy are handed in, `None` where they are lost.
    ///
    /// A success without its body is to be fetched again, and opens nothing. Of a failure without
    /// the copy that there was nothing is known at all: else it would read as if there had never
    /// been one, which opens after a while.
    pub(crate) fn knowledge(&self, octets: Option<Arc<[u8]>>) -> Knowledge {
        let is_lost = self.copy.is_some() && octets.is_none();
        if is_lost && !matches!(self.attempt.outcome, Outcome::Successful(_)) {
            return Knowledge::default();
        }
        let copy = self.copy.as_ref().zip(octets);
        Knowledge {
            last: Some(self.attempt),
            copy: copy.map(|(copy, octets)| copy.with_octets(octets)),
            streak: self.streak,
        }
    }
}
