use tokio::time::Instant;
use verger_store::{KeptHead, TlsFacts};

/// Facts about an exchange for the history ([`verger_store::HopFacts`]). Default: none.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WireFacts {
    /// When the request was sent on its connection.
    pub sent: Option<Instant>,
    /// The head of the request.
    pub request: Option<KeptHead>,
    /// The head of the final response, as far as it arrived.
    pub response: Option<KeptHead>,
    /// How the connection was encrypted.
    pub tls: Option<TlsFacts>,
}
