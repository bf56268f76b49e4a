//! Fetches robots.txt files and decides: the access method of RFC 9309 (2.3 to 2.5) carried out, for
//! crawlers, over HTTP, HTTPS and FTP.
//!
//! ```no_run
//! use verger::{Crawler, ProductToken};
//! use verger_access::Profile;
//! use verger_client::Client;
//!
//! # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::builder("ExampleBot/1.0 (+https://example.com/bot)")?
//!     .profile(Profile::RFC9309)
//!     .build();
//! let crawler = Crawler::from(ProductToken::new("ExampleBot")?);
//!
//! let decision = client.decide(&crawler, "https://example.org/shop?id=1").await?;
//! println!("{:?}: {:?}", decision.effect(), decision.reason());
//! println!("{}, until {:?}", decision.answer().stance(), decision.fresh_until());
//! # Ok(())
//! # }
//! ```
//!
//! # What it promises
//!
//! - *One fetch, however many ask.* A thousand tasks that ask about one authority wait for one
//!   request; so do processes that share a store. Who stops waiting stops nothing.
//! - *A server that fails is no error.* What follows from it is the profile's business, and every
//!   answer names the fact, the stance, both clauses and the time.
//! - *Nothing is asked too often.* Answers hold as long as the profile says, failures and missing
//!   files as well; answers in use are renewed shortly before they expire, so that no call waits.
//! - *No address but public ones.* Names are resolved once, and the address that passed the
//!   [`AddressGuard`] is the one connected to: for every redirect, every FTP data connection and
//!   every spelling. An operator may allow networks.
//! - *Everything is bounded*: time, octets, headers, decoded bodies, redirects, fetches at once,
//!   requests a host, and what is held in memory ([`ClientBuilder::memory_bytes_max`]).
//! - *Yours fit in*: [`Transport`], [`Resolver`], [`Clock`], [`Observer`] and
//!   [`verger_store::Store`] are traits.
//!
//! Programs without a runtime have a [`BlockingClient`].
//!
//! # What it does not do
//!
//! It fetches no pages, keeps no pace between them and verifies no crawlers. It reads no proxy and
//! nothing else from the environment. It keeps no cookies and sends no credentials.
//!
//! # Modules, in reading order
//!
//! *What users bring*: `future`, `clock`, `transport`, `lookup_threads`, `resolver`,
//! `dns_connections`, `name_servers`, `dns_setup`, `dns_resolver`, `observer`. *The network*:
//! `special_addresses`, `nat64_prefix`, `address_guard`, `transport_settings`, `breakdown`, `address_permits`, `socket`, `dialer`, `framing_watch`, `connection`,
//! `proxy`, `tls`, `connector` (from a URL to a connection); `interim_count`, `zstd_frames`,
//! `content_decoding`, `http_body`, `http_breakdown`, `http_exchange` (one request over HTTP);
//! `ftp_control`, `ftp`; `network_transport` (all of it). *One fetch*: `fetch_limits`,
//! `host_permits`, `fetch_permit`, `fetched`, `chain`. *One fetch however many ask*: `not_kept`,
//! `known`, `client_error`, `under_way`, `store_desk`, `local_knowledge`, `elsewhere`, `flights`,
//! `waits`, `fetcher`. *Answers*: `held_policy`,
//! `policy_cache`, `decision`, `client`, `client_builder`, `blocking`.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod address_guard;
mod address_permits;
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
#[cfg(feature = "hickory")]
mod dns_connections;
#[cfg(feature = "hickory")]
mod dns_resolver;
#[cfg(feature = "hickory")]
mod dns_setup;
mod elsewhere;
mod fetch_limits;
mod fetch_permit;
mod fetched;
mod fetcher;
mod flights;
mod framing_watch;
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
mod local_knowledge;
mod lookup_threads;
#[cfg(feature = "hickory")]
mod name_servers;
mod nat64_prefix;
mod network_transport;
mod not_kept;
mod observer;
mod policy_cache;
mod proxy;
#[cfg(doctest)]
mod readme;
mod resolver;
mod socket;
mod special_addresses;
mod store_desk;
mod tls;
mod transport;
mod transport_settings;
mod under_way;
mod waits;
mod zstd_frames;

pub use address_guard::{AddressGuard, RefusedAddress};
pub use blocking::BlockingClient;
pub use client::{Asking, Client, FetchReport, HeldStat, RefreshAhead};
pub use client_builder::ClientBuilder;
pub use client_error::ClientError;
pub use clock::{Clock, SystemClock};
pub use decision::Decision;
#[cfg(feature = "hickory")]
pub use dns_resolver::DnsResolver;
pub use fetch_limits::FetchLimits;
pub use fetched::{Exchange, Fetched};
pub use future::BoxFuture;
pub use nat64_prefix::BadNat64Prefix;
pub use network_transport::NetworkTransport;
pub use not_kept::NotKept;
pub use observer::Observer;
pub use resolver::{ResolveError, ResolveFailure, Resolver, SystemResolver};
pub use transport::{Arrival, HttpReply, Received, Transport};
pub use transport_settings::{SettingsError, TransportSettings};
