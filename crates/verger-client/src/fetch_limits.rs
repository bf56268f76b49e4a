//! `FetchLimits`: how much is fetched at once, and for how long.

use core::time::Duration;

/// How much is fetched at once, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchLimits {
    /// How long all requests of one fetch may take together; what is not there by then has failed.
    /// Waiting for a turn does not count.
    pub deadline: Duration,
    /// How many authorities are fetched at once.
    pub fetches_max: usize,
    /// How many requests are sent to one host and port at once; many authorities may redirect there.
    pub requests_per_host_max: usize,
    /// How long to wait for another process that fetches the same authority.
    pub elsewhere_max: Duration,
}

impl Default for FetchLimits {
    /// 30 seconds a fetch, 256 fetches, 8 requests a host, two minutes for others.
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(30),
            fetches_max: 256,
            requests_per_host_max: 8,
            elsewhere_max: Duration::from_secs(120),
        }
    }
}
