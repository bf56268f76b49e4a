//! The client over a table of replies, with a clock that tests set.
#![allow(clippy::unwrap_used, missing_docs)]

mod asked_now;
mod cache;
mod coalescing;
mod deadlines;
mod failures;
mod histories;
mod hops;
mod lease_wait;
mod overrides;
mod refused_here;
mod scenarios;
mod shared_store;
mod site_headers;
#[cfg(feature = "tracing")]
mod spans;
mod store_failures;
mod web;
