use core::time::Duration;

/// Limits on how many fetches run at once, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FetchLimits {
    /// Maximum time for one authority: all requests, checks of redirects, and waits for permits and other processes. In
    /// a call about many authorities the time of each starts when it gets its fetch permit. A slow store may add a
    /// second.
    ///
    /// A reply that is incomplete by then is stored as a timeout of the server. If the time was spent waiting for a
    /// limit of this program ([`FetchLimits::fetches_max`], [`FetchLimits::requests_per_host_max`], connections per
    /// address), the call fails and nothing is stored.
    pub deadline: Duration,
    /// Maximum number of authorities fetched at once.
    pub fetches_max: usize,
    /// Maximum number of requests in flight to one host and port, because many authorities may redirect there. A fetch
    /// that waits for this is not one of [`FetchLimits::fetches_max`].
    pub requests_per_host_max: usize,
    /// Maximum time to wait for another process that fetches the same authority, within the deadline.
    pub lease_wait_max: Duration,
}

impl Default for FetchLimits {
    /// Returns 30 seconds, 256 fetches, 8 requests per host, and two minutes for other processes.
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(30),
            fetches_max: 256,
            requests_per_host_max: 8,
            lease_wait_max: Duration::from_secs(120),
        }
    }
}
