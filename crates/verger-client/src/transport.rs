//! `Transport`: what carries a request out and brings back what came; and the network as one.
//!
//! `resolver` with `dns_resolver` (by `name_servers`, `dns_connections`, `dns_setup`) and
//! `lookup_threads` finds addresses; `address_guard` (by `special_addresses`, `nat64_prefix`) judges
//! them; `dialer` opens a `socket` under `address_permits` and `fetch_permit`; `connector` makes a
//! `connection` of it, through `proxy` and `tls`. `http_exchange` sends one request over HTTP
//! (`http_body`, `content_decoding`, `framing_watch`, `interim_count`), `ftp` one over FTP.
//! `network_transport` is all of it.

pub(crate) mod address_guard;
mod address_permits;
#[cfg(feature = "brotli")]
mod brotli_stream;
mod connection;
mod connector;
mod content_decoding;
mod dialer;
#[cfg(feature = "hickory")]
mod dns_connections;
#[cfg(feature = "hickory")]
pub(crate) mod dns_resolver;
#[cfg(feature = "hickory")]
mod dns_setup;
pub(crate) mod fetch_permit;
mod framing_watch;
#[cfg(feature = "ftp")]
mod ftp;
#[cfg(feature = "ftp")]
mod ftp_control;
mod http_body;
mod http_errors;
mod http_exchange;
mod interim_count;
mod lookup_threads;
#[cfg(feature = "hickory")]
mod name_servers;
pub(crate) mod nat64_prefix;
pub(crate) mod network_transport;
mod proxy;
pub(crate) mod resolver;
mod socket;
mod special_addresses;
mod tls;
mod transport_error;
pub(crate) mod transport_settings;
#[cfg(feature = "zstd")]
mod zstd_frames;

use std::net::IpAddr;

use http::HeaderMap;
use tokio::time::Instant;
use verger_access::{BodyEnd, Request, TransportFailure};

use crate::future::BoxFuture;

/// What carries a request out and brings back what came: the network, or what a test has in its
/// place.
///
/// It follows no redirect, has no cache and judges nothing: all that is the client's business. A
/// future that is dropped gives the request up.
pub trait Transport: Send + Sync {
    /// Sends `request`: GET over HTTP and HTTPS, RETR over FTP.
    ///
    /// The client drops the future at `deadline`, and counts a timeout. A response that is known by
    /// then in status and headers has to be handed in earlier, without the rest of its page, unless
    /// the status is 2xx: half a file is no file, but half a page of an error hides no status.
    fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival>;
}

/// What came of a request.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// What came.
    pub received: Received,
    /// The address that the request went to, where one was connected to.
    pub peer: Option<IpAddr>,
}

/// What came, whole or not.
#[derive(Clone, Debug)]
pub enum Received {
    /// An HTTP response.
    Http(HttpReply),
    /// A file over FTP.
    FtpFile {
        /// Its octets; [`verger_access::BODY_OCTETS_WANTED`] are enough.
        body: Vec<u8>,
        /// Whether it has more.
        body_end: BodyEnd,
    },
    /// An FTP reply in place of the file.
    FtpReply(u16),
    /// Nothing, since a limit of this side stood in the way until the time was up, such as
    /// [`crate::TransportSettings::connections_per_address_max`]. It says nothing about the site: the
    /// client tries again until its deadline.
    NotSent {
        /// What was waited for, in words for an operator.
        detail: String,
    },
    /// No whole reply.
    Failure {
        /// Of what kind.
        failure: TransportFailure,
        /// What happened, in words for an operator.
        detail: String,
    },
}

/// A final HTTP response.
#[derive(Clone, Debug)]
pub struct HttpReply {
    /// The status as it stands in the status line.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, its `Content-Encoding` undone; [`verger_access::BODY_OCTETS_WANTED`] octets are
    /// enough. Of a redirect none are needed.
    pub body: Vec<u8>,
    /// Whether the body has more.
    pub body_end: BodyEnd,
}
