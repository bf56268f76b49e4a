//! One fetch per authority, for any number of callers.
//!
//! `chain` drives the access machine over a transport, within `fetch_limits` and `host_permits`, and
//! returns what was `fetched`. `fetcher` joins callers to one fetch: within the process by
//! `single_flight`, between processes by leases of the store (`async_store`, `gathered_reads`, `lease_wait`);
//! `wait_graph` prevents fetches from waiting for each other in a cycle. `ending` is how a fetch ended, `known`
//! what is known of an authority, `local_knowledge` what is not in the store (`not_kept`); `keeping` puts it
//! here or there.

pub(crate) mod active_count;
pub(crate) mod async_store;
pub(crate) mod chain;
pub(crate) mod client_error;
mod ending;
pub(crate) mod fetch_limits;
pub(crate) mod fetched;
pub(crate) mod fetcher;
mod gathered_reads;
pub(crate) mod host_permits;
mod keeping;
pub(crate) mod known;
mod lease_wait;
pub(crate) mod local_knowledge;
pub(crate) mod not_kept;
pub(crate) mod observer;
pub(crate) mod single_flight;
pub(crate) mod wait_graph;
