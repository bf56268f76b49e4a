//! `NameSource`: where the names of addresses come from while logs are read.

use std::collections::BTreeSet;
use std::net::IpAddr;

use verger_access::Timestamp;

use crate::identity::RequestChecks;

/// A source of the names of addresses while logs are read.
pub trait NameSource {
    /// Names that were asked for at this time or later are not asked for again.
    fn fresh_since(&self) -> Timestamp;

    /// Asks for the names of addresses, and adds them to the checks.
    fn ask(&mut self, addresses: &BTreeSet<IpAddr>, checks: &mut RequestChecks);
}
