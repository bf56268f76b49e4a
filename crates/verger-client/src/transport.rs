//! `Transport`: sends a request and returns the reply. The network is one implementation.
//!
//! To find addresses, `resolver` (`resolve_error`) uses `dns_resolver` (`name_servers`,
//! `dns_connections`, `dns_setup`) or `lookup_threads`. `address_guard` (`special_addresses`,
//! `nat64_prefix`) permits or refuses them. `dialer` opens a `socket` under `address_permits`.
//! `connector` turns that into a `connection`, through `proxies` (`proxy`) and
//! `tls`. `http_exchange` sends one request over HTTP (`http_body`, `content_decoding`,
//! `framing_watch` with `head_copy`, `interim_count`, `http2_frames`), and `ftp` does so over FTP. Both report
//! `wire_facts` and fail with a `transport_error`. `network_transport` combines the parts as
//! `transport_settings` require, or fails with a `settings_error`.

pub(crate) mod address_guard;
mod address_permits;
#[cfg(feature = "brotli")]
mod brotli_stream;
mod connection;
mod connector;
pub(crate) mod content_decoding;
mod dialer;
#[cfg(feature = "hickory")]
mod dns_connections;
#[cfg(feature = "hickory")]
pub(crate) mod dns_resolver;
#[cfg(feature = "hickory")]
mod dns_setup;
mod framing_watch;
#[cfg(feature = "ftp")]
mod ftp;
#[cfg(feature = "ftp")]
mod ftp_control;
mod head_copy;
mod http2_frames;
mod http_body;
mod http_errors;
mod http_exchange;
mod interim_count;
mod lookup_threads;
#[cfg(feature = "hickory")]
mod name_servers;
pub(crate) mod nat64_prefix;
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

/// Sends a request and returns the reply, over the network or from a substitute in a test.
///
/// It does not follow redirects, cache or judge, because the client does. Dropping the future
/// cancels the request.
pub trait Transport: Send + Sync {
    /// Sends `request`: GET over HTTP and HTTPS, RETR over FTP.
    ///
    /// The client drops the future at `deadline` and records a timeout. If the status and headers
    /// of an error have arrived, return them before the deadline without the rest of the page,
    /// because a slow page must not hide the status. A 2xx response needs its whole body.
    fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival>;
}

/// The result of a request.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The reply, or the reason for its absence.
    pub received: Received,
    /// The IP address that the request was sent to, if a connection was made.
    pub peer: Option<IpAddr>,
    /// Other facts for the history.
    pub facts: WireFacts,
}

impl Arrival {
    /// Creates an arrival without a peer or facts.
    #[must_use]
    pub fn new(received: Received) -> Self {
        Self {
            received,
            peer: None,
            facts: WireFacts::default(),
        }
    }
}

/// A reply, or the reason for its absence.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Received {
    /// An HTTP response.
    Http(HttpReply),
    /// A file over FTP.
    FtpFile {
        /// The file's bytes, of which [`verger_access::BODY_BYTES_WANTED`] are enough.
        body: Vec<u8>,
        /// Whether the file has more bytes.
        body_end: BodyEnd,
    },
    /// An FTP reply instead of the file.
    FtpReply(u16),
    /// The request waited too long for a limit of this client, such as
    /// [`crate::TransportSettings::connections_per_address_max`]. That is not a fact about the
    /// site, so the client tries again until its deadline.
    NotSent {
        /// The step that it waited for, for an operator.
        detail: String,
    },
    /// This machine ran out of a resource. That is not a fact about the site, so the call fails
    /// with [`crate::ClientError::Shortage`].
    Shortage(Shortage),
    /// No complete reply arrived.
    Failure {
        /// The kind of failure.
        failure: TransportFailure,
        /// A description of the failure, for an operator.
        detail: String,
    },
}

/// A final HTTP response.
#[derive(Clone, Debug)]
pub struct HttpReply {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, with its `Content-Encoding` undone. [`verger_access::BODY_BYTES_WANTED`] bytes are
    /// enough, and a redirect needs none.
    pub body: Vec<u8>,
    /// Whether the body has more bytes.
    pub body_end: BodyEnd,
}
