//! `Lease`: the right to fetch an authority. It makes several processes fetch a site only once.

use core::time::Duration;

use verger_access::{Authority, Timestamp};

/// The number of a lease, larger than that of any earlier lease in the same store. It lets the store refuse the put
/// of a holder that was suspended while another lease was granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FencingToken(pub u64);

/// The right to fetch one authority and to put the attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The authority to fetch.
    pub authority: Authority,
    /// The name of the holder, for operators. It need not be unique.
    pub holder: String,
    /// The number of the lease.
    pub token: FencingToken,
    /// When it was granted or renewed.
    pub granted_at: Timestamp,
    /// When it expires: the first second in which another lease may be granted.
    pub until: Timestamp,
}

impl Lease {
    /// Returns whether no other lease may be granted at `now`. A caller may have read its clock before the grant, so
    /// a lease is also live before it was granted, but at most for its duration. Without that bound, a process whose
    /// clock is years ahead would lock the authority for years.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        let length = self.until.since(self.granted_at);
        now < self.until && self.granted_at.since(now) <= length
    }

    /// Returns the same lease, granted again at `now`.
    pub(crate) fn renewed(&self, now: Timestamp, duration: Duration) -> Self {
        Self {
            granted_at: now,
            until: now.after(duration),
            ..self.clone()
        }
    }
}

/// The answer to a request for a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acquisition {
    /// The caller may fetch.
    Granted(Lease),
    /// Another lease is live. Look for a new snapshot, and try again.
    HeldUntil {
        /// The name of its holder.
        holder: String,
        /// When it expires, unless it is renewed or released first.
        until: Timestamp,
    },
}
