//! Fetches robots.txt files and decides: the access method of RFC 9309 carried out, for crawlers.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod blocking;
mod chain;
mod client;
mod client_builder;
mod client_error;
mod clock;
mod decision;
mod fetch_limits;
mod fetched;
mod fetcher;
mod flights;
mod future;
mod held_policy;
mod host_permits;
mod known;
mod observer;
mod plain_authority;
mod policy_cache;
mod store_desk;
mod transport;

pub use blocking::BlockingClient;
pub use client::{Asking, Client, FetchReport, HeldStat, RefreshAhead};
pub use client_builder::ClientBuilder;
pub use client_error::ClientError;
pub use clock::{Clock, SystemClock};
pub use decision::{DecidedBy, Decision};
pub use fetch_limits::FetchLimits;
pub use fetched::{Exchange, Fetched};
pub use future::BoxFuture;
pub use observer::Observer;
pub use transport::{Arrival, HttpReply, Received, Transport};
