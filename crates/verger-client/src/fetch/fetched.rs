use core::time::Duration;
use std::net::IpAddr;

use http::HeaderMap;
use url::Url;
use verger_access::Attempt;
use verger_store::HopFacts;

/// One request and its result. The hop with the same index has the URL and the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exchange {
    /// The IP address that the request was sent to, if a connection was made.
    pub peer: Option<IpAddr>,
    /// Why no complete reply arrived, for an operator.
    pub detail: Option<String>,
    /// The time from the request to the last byte read of the reply.
    pub duration: Duration,
    /// Facts for the history. Heads and TLS are included if
    /// [`crate::TransportSettings::keeps_facts`] is set.
    pub facts: HopFacts,
}

/// A finished fetch.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fetched {
    /// The attempt: hops, outcome, body and warnings.
    pub attempt: Attempt,
    /// One exchange per hop.
    pub exchanges: Vec<Exchange>,
    /// The headers of the last response, empty if that was not a complete HTTP response.
    pub headers: HeaderMap,
    /// The URL of the redirect that an override ended, if one did.
    pub(crate) overridden_at: Option<Url>,
    /// Whether a limit of this client ended the fetch. Then it is not a fact about the site.
    pub(crate) is_not_sent: bool,
}

impl Fetched {
    /// Returns the IP address that the last request was sent to, if a connection was made.
    #[must_use]
    pub fn peer(&self) -> Option<IpAddr> {
        self.exchanges.last().and_then(|exchange| exchange.peer)
    }
}
