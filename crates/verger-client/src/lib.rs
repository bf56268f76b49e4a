//! Fetches robots.txt files and decides: the access method of RFC 9309 (2.3 to 2.5) carried out, for
//! crawlers, over HTTP, HTTPS and FTP.
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
//! `clock` and `future`; then three folders, each of which uses those before it:
//!
//! - `transport` carries one request out: names, addresses, connections, HTTP and FTP.
//! - `fetch` makes one fetch per authority, for any number of callers, and keeps what was seen.
//! - `answers` turns what is known into decisions, which are kept in bounded memory.
//!
//! The head of each folder's file lists its modules.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod answers;
mod clock;
mod fetch;
mod future;
#[cfg(doctest)]
mod readme;
mod transport;

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
pub use transport::address_guard::{AddressGuard, RefusedAddress};
#[cfg(feature = "hickory")]
pub use transport::dns_resolver::DnsResolver;
pub use transport::nat64_prefix::BadNat64Prefix;
pub use transport::network_transport::NetworkTransport;
pub use transport::resolver::{ResolveError, ResolveFailure, Resolver, SystemResolver};
pub use transport::transport_settings::{SettingsError, TransportSettings};
pub use transport::{Arrival, HttpReply, Received, Transport};

// What the first lines of a crawler need, so that it depends on this crate alone.
#[doc(no_inline)]
pub use verger::{Crawler, Dialect, Effect, ProductToken, Reason};
#[doc(no_inline)]
pub use verger_access::{Answer, Authority, Profile, Stance};
#[cfg(feature = "sqlite")]
#[doc(no_inline)]
pub use verger_store::SqliteStore;
#[doc(no_inline)]
pub use verger_store::{MemoryStore, Store};
