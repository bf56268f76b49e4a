//! `Fetched`: one fetch, exchange by exchange.

use core::time::Duration;
use std::net::IpAddr;

use http::HeaderMap;
use verger_access::Attempt;
use verger_store::HopFacts;

/// One request and its result; its URL and reply are those of the hop with the same index.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exchange {
    /// The IP address that the request went to, where a connection was made.
    pub peer: Option<IpAddr>,
    /// Where no complete reply came: the failure, in words for an operator.
    pub detail: Option<String>,
    /// The time from the request to the last byte that was read of its reply.
    pub duration: Duration,
    /// What a history keeps of it; heads and TLS only where [`crate::TransportSettings::keeps_facts`] asks for them.
    pub facts: HopFacts,
}

/// One fetch.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fetched {
    /// The attempt: hops, outcome, body, warnings.
    pub attempt: Attempt,
    /// One exchange for every hop.
    pub exchanges: Vec<Exchange>,
    /// The headers of the last response; empty where the last reply was no complete HTTP response.
    pub headers: HeaderMap,
    /// Whether it ended because of a limit of this client; then it is no fact about the site.
    pub(crate) is_not_sent: bool,
}

impl Fetched {
    /// Returns the IP address that the last request went to, where a connection was made.
    #[must_use]
    pub fn peer(&self) -> Option<IpAddr> {
        self.exchanges.last().and_then(|exchange| exchange.peer)
    }
}
