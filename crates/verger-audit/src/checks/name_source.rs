use std::collections::BTreeSet;
use std::net::IpAddr;

use verger_access::Timestamp;

use crate::identity::RequestChecks;

/// A source of host names while logs are read.
pub trait NameSource {
    /// Returns the oldest time at which an answer is fresh. Fresh names are not queried again.
    fn fresh_since(&self) -> Timestamp;

    /// Queries the host names of addresses and adds them to `checks`.
    fn ask(&mut self, addresses: &BTreeSet<IpAddr>, checks: &mut RequestChecks);
}
