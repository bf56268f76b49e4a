//! Fetches robots.txt files and decides whether a crawler may fetch a URL.
//!
//! This is the access method of RFC 9309 (2.3 to 2.5) over HTTP, HTTPS and FTP. The client fetches
//! each site's robots.txt once, no matter how many tasks wait for it. It keeps the compiled answer
//! in bounded memory until it expires and, if you give it a store, records its fetches there. Later
//! calls decide from memory, without a request.
//!
//! ```no_run
//! use verger_client::Client;
//!
//! # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::builder("ExampleBot/1.0 (+https://example.com/bot)").build()?;
//! let crawler = "ExampleBot".parse()?;
//! let decision = client.decide(&crawler, "https://example.org/shop?id=1").await?;
//! println!("{decision}, fresh until {}", decision.fresh_until());
//! # Ok(())
//! # }
//! ```
//!
//! Begin with four types:
//!
//! - [`Client`] decides about URLs and fetches robots.txt files when needed. Clones share
//!   everything.
//! - [`ClientBuilder`] configures the profile, store, limits and permitted addresses.
//! - [`Decision`] says whether a URL may be fetched, why, for how long that is valid, and how long
//!   to wait between requests ([`Decision::delay`]).
//! - [`BlockingClient`] is the client for programs without an async runtime.
//!
//! # Guarantees
//!
//! - *Single flight.* A thousand tasks that need one authority wait for one fetch. So do processes
//!   that share a store. A caller that stops waiting cancels nothing.
//! - *A failing server is not an error.* The profile decides what follows, and every answer has the
//!   access result, the stance, both clauses and the times.
//! - *No needless requests.* Answers are cached for the lifetime that the profile determines, even
//!   those about failures and missing files. Answers in use are refreshed shortly before they
//!   expire, so no call waits.
//! - *Public addresses only.* Each name is resolved once, and the connection goes to the address
//!   that passed the [`AddressGuard`]. That includes redirects and FTP data connections. You can
//!   permit more networks.
//! - *Everything is bounded*: time, bytes, headers, decoded bodies, redirects, concurrent fetches,
//!   requests per host, and memory ([`ClientBuilder::memory_bytes_max`]).
//! - *Replaceable parts*: [`Transport`], [`Resolver`], [`Clock`], [`Observer`] and
//!   [`verger_store::Store`] are traits.
//!
//! The client does not fetch pages, wait between them (`verger-tower` does), or verify crawlers. It
//! keeps no cookies, sends credentials only to sites that you name
//! ([`ClientBuilder::header_for`]), and reads nothing from the environment unless you pass it in.
//!
//! # Features
//!
//! `brotli`, `ftp`, `hickory`, `sqlite` and `zstd` are on by default.
//!
//! - `brotli`, `zstd`: these content codings, in addition to gzip and deflate.
//! - `ftp`: `ftp://` URLs. Without it they are refused and nothing is stored.
//! - `hickory`: DNS lookups without a thread per name. Without it the system's resolver is used.
//! - `sqlite`, `postgres`: `SqliteStore` and `PostgresStore`.
//! - `json`: for commands and services. Fetches and stored states as JSON.
//! - `tracing`: the spans `fetch_robots_txt` and `request`, with an event for each outcome.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod answers;
mod clock;
mod fetch;
mod future;
#[cfg(feature = "json")]
mod json;
mod one_thread_runtime;
#[cfg(doctest)]
mod readme;
mod transport;

pub use answers::asking::Asking;
pub use answers::blocking::BlockingClient;
pub use answers::client::{Client, FetchReport, HeldStat, RefreshAhead};
pub use answers::client_builder::ClientBuilder;
pub use answers::decision::Decision;
pub use clock::{Clock, SystemClock};
pub use fetch::client_error::ClientError;
pub use fetch::fetch_shares::{FetchAsker, FetchShare, FetchShares};
pub use fetch::fetched::{Exchange, Fetched};
pub use fetch::not_kept::NotKept;
pub use fetch::observer::Observer;
pub use future::BoxFuture;
#[cfg(feature = "json")]
pub use json::answer_source::{AnswerSource, FoundLookups, Reporting, lookup_at, lookup_of_report};
#[cfg(feature = "json")]
pub use json::authority_state::{state_at, state_of_report, state_of_stored};
#[cfg(feature = "json")]
pub use json::fetch_answer::{FetchAnswer, FetchHop, FetchedSitemap};
pub use one_thread_runtime::one_thread_runtime;
pub use transport::address_guard::{AddressGuard, RefusedAddress};
pub use transport::content_decoding::{DecodingError, decoded_body, encoded_bytes_max};
#[cfg(feature = "hickory")]
pub use transport::dns_resolver::DnsResolver;
pub use transport::nat64_prefix::BadNat64Prefix;
pub use transport::network_transport::NetworkTransport;
pub use transport::proxies::Proxies;
pub use transport::resolve_error::{ResolveError, ResolveFailure};
pub use transport::resolver::{Resolver, SystemResolver};
pub use transport::settings_error::SettingsError;
pub use transport::transport_settings::TransportSettings;
pub use transport::wire_facts::WireFacts;
pub use transport::{Arrival, HttpReply, Received, Transport};
// Types of settings.
#[doc(no_inline)]
pub use ipnet::{IpNet, Ipv6Net};

// Re-exported because a simple crawler should need only this crate.
#[doc(no_inline)]
pub use verger::{Crawler, Dialect, Effect, ProductToken, Reason};
#[doc(no_inline)]
pub use verger_access::session::FetchLimits;
#[doc(no_inline)]
pub use verger_access::{Answer, Authority, Override, Profile, Stance};
#[doc(no_inline)]
pub use verger_extensions::{Pacing, TimeOfDay};
#[cfg(feature = "postgres")]
#[doc(no_inline)]
pub use verger_store::PostgresStore;
#[cfg(feature = "sqlite")]
#[doc(no_inline)]
pub use verger_store::SqliteStore;
#[doc(no_inline)]
pub use verger_store::{
    HopFacts, KeptHead, MemoryStore, Resource, Shortage, Store, StoreError, TlsFacts, TlsVersion,
    Turn,
};
