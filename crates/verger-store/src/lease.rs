//! `Lease`: who fetches an authority now, so that several processes fetch it once.

use core::time::Duration;

use verger_access::{Authority, Timestamp};

/// The number of a lease, larger than that of any lease granted earlier in the same store. It is
/// what fences off a holder who was away so long that another one took over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FencingToken(pub u64);

/// The right to fetch one authority and to put what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// What may be fetched.
    pub authority: Authority,
    /// Who may, in words for an operator; it is no identity.
    pub holder: String,
    /// Which lease this is.
    pub token: FencingToken,
    /// When it was granted or renewed.
    pub granted_at: Timestamp,
    /// The first second in which another holder may have it.
    pub until: Timestamp,
}

impl Lease {
    /// Whether no other holder may have it at `now`.
    ///
    /// The caller may have looked at the clock before the grant, so the lease counts then as well, but
    /// no further back than it is long: else a process whose clock is years ahead would lock the
    /// authority for years.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        let length = self.until.since(self.granted_at);
        now < self.until && self.granted_at.since(now) <= length
    }

    /// The same lease, granted again at `now`.
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
    /// Fetch.
    Granted(Lease),
    /// Another process fetches: look for a snapshot by then, and ask again.
    HeldUntil {
        /// Who does.
        holder: String,
        /// The first second in which the lease can be had, unless it is renewed or given back.
        until: Timestamp,
    },
}
