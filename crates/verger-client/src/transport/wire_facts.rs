//! `WireFacts`: what a transport saw of a request and its reply, beside the reply.

use tokio::time::Instant;
use verger_store::{KeptHead, TlsFacts};

/// What a transport saw of one exchange, as a history keeps it ([`verger_store::HopFacts`]). Default: nothing.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WireFacts {
    /// When the request had a connection and was sent.
    pub sent: Option<Instant>,
    /// The head of the request.
    pub request: Option<KeptHead>,
    /// The head of the final response, or as much of it as came.
    pub response: Option<KeptHead>,
    /// How the connection was encrypted.
    pub tls: Option<TlsFacts>,
}
