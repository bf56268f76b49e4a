//! `FetchLimits`: how much is fetched at once, and for how long.

use core::time::Duration;

use tokio::time::Instant;

/// How much is fetched at once, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FetchLimits {
    /// How long a call may take for one authority: all requests, the questions about hops, and the
    /// waits for permits and for other processes. A reply that is not complete by then is a timeout of
    /// the server, and is stored as one. Where the time went into waits for a limit of this client
    /// ([`FetchLimits::fetches_max`], [`FetchLimits::requests_per_host_max`],
    /// [`crate::TransportSettings::connections_per_address_max`]), that is no fact about the site: the
    /// call fails with [`crate::ClientError::OutOfTime`], and nothing is stored.
    ///
    /// Where a call is about many authorities ([`crate::Client::decide_many`],
    /// [`crate::Client::report_many`]), the time of each begins when it gets its fetch permit. A slow
    /// store may add a second.
    pub deadline: Duration,
    /// How many authorities are fetched at once.
    pub fetches_max: usize,
    /// How many requests are sent to one host and port at once; many authorities may redirect there.
    /// A fetch that waits for such a permit does not count among the fetches.
    pub requests_per_host_max: usize,
    /// How long to wait for another process that fetches the same authority; never beyond the
    /// deadline.
    pub lease_wait_max: Duration,
}

impl FetchLimits {
    /// Returns the deadline of a call that begins now.
    pub(crate) fn deadline_from_now(&self) -> Instant {
        let now = Instant::now();
        let deadline = now.checked_add(self.deadline);
        deadline.unwrap_or_else(|| now + FOREVER)
    }
}

/// In place of a deadline that an `Instant` cannot represent.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

impl Default for FetchLimits {
    /// 30 seconds, 256 fetches, 8 requests to a host, two minutes for other processes.
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(30),
            fetches_max: 256,
            requests_per_host_max: 8,
            lease_wait_max: Duration::from_secs(120),
        }
    }
}
