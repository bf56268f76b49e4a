//! `HopFacts`: what was seen of one request and its reply, beside what the access method needs.

use std::net::IpAddr;

use serde::{Deserialize, Deserializer, Serialize};
use verger_access::Timestamp;

use crate::body_hash::BodyHash;
use crate::kept_head::KeptHead;
use crate::time_text::time_of_text;

/// The facts of one hop: a request and its reply. What is not known is `None`: a transport that is not of this project
/// may know less, and over FTP there are no heads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct HopFacts {
    /// When the request was sent: when it had a connection. `None` where it never had one.
    #[serde(deserialize_with = "optional_time")]
    pub sent_at: Option<Timestamp>,
    /// When the last byte that was read of the reply arrived, or the wait for it ended.
    #[serde(deserialize_with = "optional_time")]
    pub ended_at: Option<Timestamp>,
    /// The IP address that the request went to; `None` through a proxy, too.
    pub peer: Option<IpAddr>,
    /// How the connection was encrypted, or `None` if it was not.
    pub tls: Option<TlsFacts>,
    /// The head of the request. Through a proxy it is the request to the proxy, or the one in the tunnel.
    pub request: Option<KeptHead>,
    /// The head of the final response, or as much of it as came.
    pub response: Option<KeptHead>,
}

/// How a connection was encrypted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct TlsFacts {
    /// The version that both sides agreed on.
    pub version: TlsVersion,
    /// The SHA-256 of each certificate that the server sent, in DER, in its order: its own first.
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
