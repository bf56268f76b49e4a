//! `TransportFailure`: why no complete reply arrived.

use std::str::FromStr;

use crate::unknown_code::UnknownCode;

/// The reason why no complete reply arrived. G-err-1, R9309-2.3.1.4-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum TransportFailure {
    /// The name does not resolve.
    #[error("the name does not resolve")]
    Dns,
    /// No connection could be made.
    #[error("the connection failed")]
    Connect,
    /// The TLS handshake failed or the certificate is not valid.
    #[error("TLS failed")]
    Tls,
    /// The whole request, or a phase of it, took too long.
    #[error("the request timed out")]
    Timeout,
    /// The connection was lost before or during the reply.
    #[error("the connection was lost")]
    Reset,
    /// The body ended before its stated length. If the *reader* cuts a body at the limit, that is not a failure but
    /// [`crate::BodyEnd::CutAtLimit`].
    #[error("the body is incomplete")]
    Truncated,
    /// The chunks of the body are malformed.
    #[error("the chunked encoding is malformed")]
    Chunking,
    /// The body cannot be decoded from its `Content-Encoding`.
    #[error("the body cannot be decoded")]
    ContentEncoding,
    /// The reply is not HTTP, its head is too long, or there are too many interim replies.
    #[error("the response is malformed")]
    Protocol,
    /// The client's address guard refused the address. This counts like a refused redirect.
    #[error("the address is not allowed")]
    AddressRefused,
}

impl TransportFailure {
    /// All variants.
    pub const ALL: &'static [Self] = &[
        Self::Dns,
        Self::Connect,
        Self::Tls,
        Self::Timeout,
        Self::Reset,
        Self::Truncated,
        Self::Chunking,
        Self::ContentEncoding,
        Self::Protocol,
        Self::AddressRefused,
    ];

    /// Returns a short name for programs, such as `timeout`. [`FromStr`] reads it back.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::Reset => "reset",
            Self::Truncated => "truncated",
            Self::Chunking => "chunking",
            Self::ContentEncoding => "content-encoding",
            Self::Protocol => "protocol",
            Self::AddressRefused => "address-refused",
        }
    }
}

impl FromStr for TransportFailure {
    type Err = UnknownCode;

    /// Parses the result of [`TransportFailure::as_str`].
    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        let mut all = Self::ALL.iter().copied();
        let found = all.find(|failure| failure.as_str() == name);
        found.ok_or_else(|| UnknownCode::of("transport failure"))
    }
}
