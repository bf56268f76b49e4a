//! Fetches robots.txt files and decides, for crawlers: the access method of RFC 9309 (2.3 to 2.5) over
//! HTTP, HTTPS and FTP.
//!
//! ```no_run
//! use verger_client::{Client, Crawler, ProductToken, Profile};
//!
//! # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::builder("ExampleBot/1.0 (+https://example.com/bot)")
//!     .profile(Profile::RFC9309)
//!     .build()?;
//! let crawler = Crawler::from(ProductToken::new("ExampleBot")?);
//!
//! let decision = client.decide(&crawler, "https://example.org/shop?id=1").await?;
//! println!("{:?}: {:?}", decision.effect(), decision.reason());
//! println!("{}, until {:?}", decision.answer().stance(), decision.fresh_until());
//! # Ok(())
//! # }
//! ```
//!
//! # Guarantees
//!
//! - *Single flight.* A thousand tasks that need one authority wait for one fetch; so do processes
//!   that share a store. A caller that stops waiting cancels nothing.
//! - *A server that fails is no error.* The profile decides what follows from it, and every answer has
//!   the fact, the stance, both clauses and the times.
//! - *No needless requests.* Answers are cached for the lifetime that the profile determines, failures
//!   and missing files as well; answers in use are refreshed shortly before they expire, so that no
//!   call waits.
//! - *Public addresses only.* Names are resolved once, and the connection goes to the address that
//!   passed the [`AddressGuard`]: for every redirect, every FTP data connection and every spelling. An
//!   operator may allow networks.
//! - *Everything is bounded*: time, bytes, headers, decoded bodies, redirects, fetches at once,
//!   requests to a host, and memory ([`ClientBuilder::memory_bytes_max`]).
//! - *Replaceable parts*: [`Transport`], [`Resolver`], [`Clock`], [`Observer`] and
//!   [`verger_store::Store`] are traits.
//!
//! Programs without a runtime have a [`BlockingClient`].
//!
//! # What it does not do
//!
//! It fetches no pages, does not limit their rate, and verifies no crawlers. It reads no proxy and
//! nothing else from the environment. It keeps no cookies and sends no credentials.
//!
//! # Modules, in reading order
//!
//! `clock`, `future` and `one_thread_runtime`; then folders, each of which uses those before it:
//!
//! - `transport` sends one request: names, addresses, connections, HTTP and FTP.
//! - `fetch` makes one fetch per authority, for any number of callers, and stores what was seen.
//! - `answers` decides from what is known, and caches compiled policies in bounded memory.
//! - `json`, with the feature of this name, has fetches and stored states as `verger-answer` has them; `web` with the
//!   same feature requests what is no robots.txt.
//!
//! The first lines of each folder's file list its modules.
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
#[cfg(feature = "json")]
mod web;

pub use answers::blocking::BlockingClient;
pub use answers::client::{Asking, Client, FetchReport, HeldStat, RefreshAhead};
pub use answers::client_builder::ClientBuilder;
pub use answers::decision::Decision;
pub use clock::{Clock, SystemClock};
pub use fetch::client_error::ClientError;
pub use fetch::fetch_limits::FetchLimits;
pub use fetch::fetched::{Exchange, Fetched};
pub use fetch::not_kept::NotKept;
pub use fetch::observer::Observer;
pub use future::BoxFuture;
#[cfg(feature = "json")]
pub use json::answer_source::{AnswerSource, FoundLookups, Reporting, lookup_at, lookup_of_report};
#[cfg(feature = "json")]
pub use json::authority_state::{state_at, state_of_report, state_of_stored};
#[cfg(feature = "json")]
pub use json::fetch_answer::{FetchAnswer, FetchHop};
pub use one_thread_runtime::one_thread_runtime;
pub use transport::address_guard::{AddressGuard, RefusedAddress};
#[cfg(feature = "json")]
pub use transport::contact::{Contact, NotAContact};
#[cfg(feature = "hickory")]
pub use transport::dns_resolver::DnsResolver;
#[cfg(feature = "json")]
pub use transport::environment_proxies::{EnvironmentProxies, NotAProxy, UnusableVariable};
pub use transport::nat64_prefix::BadNat64Prefix;
#[cfg(feature = "json")]
pub use transport::network_text::{
    NotANameServer, NotANat64Prefix, NotANetwork, name_server_of, nat64_prefix_of, network_of,
};
pub use transport::network_transport::NetworkTransport;
pub use transport::proxies::Proxies;
pub use transport::resolve_error::{ResolveError, ResolveFailure};
pub use transport::resolver::{Resolver, SystemResolver};
pub use transport::settings_error::SettingsError;
pub use transport::transport_settings::TransportSettings;
pub use transport::wire_facts::WireFacts;
pub use transport::{Arrival, HttpReply, Received, Transport};
#[cfg(feature = "json")]
pub use web::json_poster::JsonPoster;
#[cfg(feature = "json")]
pub use web::web_error::WebError;
#[cfg(feature = "json")]
pub use web::web_reader::WebReader;
// Types of settings.
#[doc(no_inline)]
pub use ipnet::{IpNet, Ipv6Net};

// What the first lines of a crawler need, so that it depends on this crate alone.
#[doc(no_inline)]
pub use verger::{Crawler, Dialect, Effect, ProductToken, Reason};
#[doc(no_inline)]
pub use verger_access::{Answer, Authority, Profile, Stance};
#[cfg(feature = "postgres")]
#[doc(no_inline)]
pub use verger_store::PostgresStore;
#[cfg(feature = "sqlite")]
#[doc(no_inline)]
pub use verger_store::SqliteStore;
#[doc(no_inline)]
pub use verger_store::{
    HopFacts, KeptHead, MemoryStore, Resource, Shortage, Store, TlsFacts, TlsVersion,
};
