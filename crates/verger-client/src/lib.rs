//! Fetches robots.txt files and decides: the access method carried out.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod address_guard;
mod breakdown;
mod clock;
mod connection;
mod connector;
mod content_decoding;
mod dialer;
mod ftp;
mod ftp_control;
mod future;
mod http_body;
mod http_breakdown;
mod http_exchange;
mod interim_count;
mod network_transport;
mod proxy;
mod resolver;
mod special_addresses;
mod tls;
mod transport;
mod transport_settings;
mod zstd_frames;

pub use address_guard::{AddressGuard, RefusedAddress};
pub use clock::{Clock, SystemClock};
pub use future::BoxFuture;
pub use network_transport::NetworkTransport;
pub use resolver::{ResolveError, Resolver, SystemResolver};
pub use transport::{Arrival, HttpReply, Received, Transport};
pub use transport_settings::{SettingsError, TransportSettings};
