//! `FetchLimits`: how much is fetched at once, and for how long.

use core::time::Duration;

use tokio::time::Instant;

/// How much is fetched at once, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchLimits {
    /// How long it may take to find out about one authority, from the call to the answer: all
    /// requests, the questions about hops, and the waits for permits, for a place among the fetches
    /// and for other processes. What has not come by then is a timeout of the server, which is
    /// kept as such; where nothing could be asked by then, or a connection was waited for that
    /// [`crate::TransportSettings::connections_per_address_max`] kept back, the call fails.
    ///
    /// Where many authorities are asked at once ([`crate::Client::decide_many`],
    /// [`crate::Client::report_many`]), the time of each begins with its place among the fetches. A
    /// store that is slow in keeping what came may add a second.
    pub deadline: Duration,
    /// How many authorities are fetched at once.
    pub fetches_max: usize,
    /// How many requests are sent to one host and port at once; many authorities may redirect there.
    pub requests_per_host_max: usize,
    /// How long to wait for another process that fetches the same authority; never beyond the
    /// deadline.
    pub lease_wait_max: Duration,
}

impl FetchLimits {
    /// When a call that begins now has to end.
    pub(crate) fn deadline_from_now(&self) -> Instant {
        let now = Instant::now();
        let deadline = now.checked_add(self.deadline);
        deadline.unwrap_or_else(|| now + FOREVER)
    }
}

/// Longer than any fetch: where a deadline lies beyond all clocks.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

impl Default for FetchLimits {
    /// 30 seconds a fetch, 256 fetches, 8 requests a host, two minutes for other
    /// processes.
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(30),
            fetches_max: 256,
            requests_per_host_max: 8,
            lease_wait_max: Duration::from_secs(120),
        }
    }
}
