//! `Fetched`: what one fetch saw, exchange by exchange.

use core::time::Duration;
use std::net::IpAddr;

use http::HeaderMap;
use verger_access::Attempt;

/// One request and what came of it; its URL and reply are those of the hop in the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The address that the request went to, where one was connected to.
    pub peer: Option<IpAddr>,
    /// Where no whole reply came: what happened, in words for an operator.
    pub detail: Option<String>,
    /// From the request to the last octet that was wanted of its reply.
    pub duration: Duration,
}

/// What one fetch saw.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The fetch as the access method tells it: hops, outcome, body, warnings.
    pub attempt: Attempt,
    /// One for every hop.
    pub exchanges: Vec<Exchange>,
    /// The headers of the last response; none where the last reply was no whole HTTP response.
    pub headers: HeaderMap,
    /// Whether it ended since a limit of this side stood in the way; then it says nothing.
    pub(crate) is_not_sent: bool,
}

impl Fetched {
    /// The address that the last request went to, where one was connected to.
    #[must_use]
    pub fn peer(&self) -> Option<IpAddr> {
        self.exchanges.last().and_then(|exchange| exchange.peer)
    }
}
