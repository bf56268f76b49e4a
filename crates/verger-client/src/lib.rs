//! Fetches robots.txt files and decides: the access method of RFC 9309 carried out, for crawlers.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod address_guard;
mod blocking;
mod breakdown;
mod chain;
mod client;
mod client_builder;
mod client_error;
mod clock;
mod connection;
mod connector;
mod content_decoding;
mod decision;
mod dialer;
mod fetch_limits;
mod fetched;
mod fetcher;
mod flights;
mod ftp;
mod ftp_control;
mod future;
mod held_policy;
mod host_permits;
mod http_body;
mod http_breakdown;
mod http_exchange;
mod interim_count;
mod known;
mod network_transport;
mod observer;
mod plain_authority;
mod policy_cache;
mod proxy;
mod resolver;
mod special_addresses;
mod store_desk;
mod tls;
mod transport;
mod transport_settings;
mod zstd_frames;

pub use address_guard::{AddressGuard, RefusedAddress};
pub use blocking::BlockingClient;
pub use client::{Client, FetchReport, HeldStat, RefreshAhead};
pub use client_builder::ClientBuilder;
pub use client_error::ClientError;
pub use clock::{Clock, SystemClock};
pub use decision::{DecidedBy, Decision};
pub use fetch_limits::FetchLimits;
pub use fetched::{Exchange, Fetched};
pub use future::BoxFuture;
pub use network_transport::NetworkTransport;
pub use observer::Observer;
pub use resolver::{ResolveError, Resolver, SystemResolver};
pub use transport::{Arrival, HttpReply, Received, Transport};
pub use transport_settings::{SettingsError, TransportSettings};
