//! The client over a web of the tests' own, with a clock of their own.
#![allow(clippy::unwrap_used, missing_docs)]

mod cache;
mod coalescing;
mod elsewhere;
mod failures;
mod hops;
mod scenarios;
mod shared_store;
mod web;
