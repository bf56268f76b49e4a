//! `Transport`: sends a request and returns the reply; and the network as an implementation.
//!
//! `resolver` (`resolve_error`) with `dns_resolver` (`name_servers`, `dns_connections`, `dns_setup`) and
//! `lookup_threads` finds addresses; `address_guard` (`special_addresses`, `nat64_prefix`) judges
//! them; `dialer` opens a `socket` under `address_permits` and `fetch_permit`; `connector` makes a
//! `connection` of it, through `proxies` (`proxy`) and `tls`. `http_exchange` sends one request over HTTP
//! (`http_body`, `content_decoding`, `framing_watch` with `head_copy`, `interim_count`), `ftp` one over FTP; both fail
//! with a `transport_error`, and say what they saw in `wire_facts`. `network_transport` puts them together, by `transport_settings` or with a
//! `settings_error`. What a user names: `contact`, `environment_proxies` and `network_text`.

pub(crate) mod address_guard;
mod address_permits;
#[cfg(feature = "brotli")]
mod brotli_stream;
mod connection;
mod connector;
#[cfg(feature = "json")]
pub(crate) mod contact;
mod content_decoding;
mod dialer;
#[cfg(feature = "hickory")]
mod dns_connections;
#[cfg(feature = "hickory")]
pub(crate) mod dns_resolver;
#[cfg(feature = "hickory")]
mod dns_setup;
#[cfg(feature = "json")]
pub(crate) mod environment_proxies;
pub(crate) mod fetch_permit;
mod framing_watch;
#[cfg(feature = "ftp")]
mod ftp;
#[cfg(feature = "ftp")]
mod ftp_control;
mod head_copy;
mod http_body;
mod http_errors;
mod http_exchange;
mod interim_count;
mod lookup_threads;
#[cfg(feature = "hickory")]
mod name_servers;
pub(crate) mod nat64_prefix;
#[cfg(feature = "json")]
pub(crate) mod network_text;
pub(crate) mod network_transport;
pub(crate) mod proxies;
mod proxy;
pub(crate) mod resolve_error;
pub(crate) mod resolver;
pub(crate) mod settings_error;
mod socket;
mod special_addresses;
mod tls;
mod transport_error;
pub(crate) mod transport_settings;
pub(crate) mod wire_facts;
#[cfg(feature = "zstd")]
mod zstd_frames;

use std::net::IpAddr;

use http::HeaderMap;
use tokio::time::Instant;
use verger_access::{BodyEnd, Request, TransportFailure};
use verger_store::Shortage;

use crate::future::BoxFuture;
use crate::transport::wire_facts::WireFacts;

/// Sends a request and returns the reply: the network, or a substitute in a test.
///
/// It follows no redirect, has no cache and judges nothing: the client does. Dropping the future
/// cancels the request.
pub trait Transport: Send + Sync {
    /// Sends `request`: GET over HTTP and HTTPS, RETR over FTP.
    ///
    /// The client drops the future at `deadline`, and counts a timeout. Where status and headers of an
    /// error have arrived, return them before the deadline, without the rest of the page: a slow page
    /// must not hide the status of an error. A 2xx needs its whole body.
    fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival>;
}

/// The result of a request.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The reply, or why there is none.
    pub received: Received,
    /// The IP address that the request went to, where a connection was made.
    pub peer: Option<IpAddr>,
    /// What else was seen, for the history.
    pub facts: WireFacts,
}

impl Arrival {
    /// Makes one of which nothing else is known.
    #[must_use]
    pub fn new(received: Received) -> Self {
        Self {
            received,
            peer: None,
            facts: WireFacts::default(),
        }
    }
}

/// A reply, or why there is none.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Received {
    /// An HTTP response.
    Http(HttpReply),
    /// A file over FTP.
    FtpFile {
        /// Its bytes; [`verger_access::BODY_BYTES_WANTED`] are enough.
        body: Vec<u8>,
        /// Whether it has more.
        body_end: BodyEnd,
    },
    /// An FTP reply in place of the file.
    FtpReply(u16),
    /// No reply, since the request waited too long for a limit of this client, such as
    /// [`crate::TransportSettings::connections_per_address_max`]. That is no fact about the site: the
    /// client tries again until its deadline.
    NotSent {
        /// The step that it waited for, in words for an operator.
        detail: String,
    },
    /// No reply, since this machine lacks something. That is no fact about the site: the call fails with
    /// [`crate::ClientError::Shortage`].
    Shortage(Shortage),
    /// No complete reply.
    Failure {
        /// The kind of failure.
        failure: TransportFailure,
        /// The failure, in words for an operator.
        detail: String,
    },
}

/// A final HTTP response.
#[derive(Clone, Debug)]
pub struct HttpReply {
    /// The status of the status line.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body after its `Content-Encoding` is undone; [`verger_access::BODY_BYTES_WANTED`] bytes
    /// are enough. Of a redirect none are needed.
    pub body: Vec<u8>,
    /// Whether the body has more.
    pub body_end: BodyEnd,
}
