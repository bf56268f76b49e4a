//! `HopFacts`: observations of one request and its reply that decisions do not need.

use std::net::IpAddr;

use serde::{Deserialize, Deserializer, Serialize};
use verger_access::Timestamp;

use crate::body_hash::BodyHash;
use crate::kept_head::KeptHead;
use crate::time_text::time_of_text;

/// The facts of one hop: a request and its reply. Unknown facts are `None`, because another transport may report less,
/// and FTP has no heads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct HopFacts {
    /// When the request was sent on its connection, or `None` if it never had one.
    #[serde(deserialize_with = "optional_time")]
    pub sent_at: Option<Timestamp>,
    /// When the last byte of the reply arrived, or the wait for it ended.
    #[serde(deserialize_with = "optional_time")]
    pub ended_at: Option<Timestamp>,
    /// The IP address that the request went to, or `None` through a proxy.
    pub peer: Option<IpAddr>,
    /// The encryption of the connection, or `None` if it was not encrypted.
    pub tls: Option<TlsFacts>,
    /// The head of the request. Through a proxy, it is the request to the proxy or the one in the tunnel.
    pub request: Option<KeptHead>,
    /// The head of the final response, as far as it arrived.
    pub response: Option<KeptHead>,
}

/// The encryption of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct TlsFacts {
    /// The negotiated version.
    pub version: TlsVersion,
    /// The SHA-256 of each certificate that the server sent, in DER and in its order, the server's own first.
    pub certificates: Vec<BodyHash>,
}

/// A version of TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[non_exhaustive]
pub enum TlsVersion {
    /// RFC 5246.
    #[serde(rename = "1.2")]
    Tls12,
    /// RFC 8446.
    #[serde(rename = "1.3")]
    Tls13,
}

fn optional_time<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Timestamp>, D::Error> {
    let text = Option::<String>::deserialize(reader)?;
    let time = text.map(|text| time_of_text(&text)).transpose();
    time.map_err(serde::de::Error::custom)
}
