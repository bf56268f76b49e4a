//! Makes one fetch per authority for any number of callers.
//!
//! `chain` drives the access machine over a transport and returns what was `fetched`, within
//! `fetch_limits` and `host_permits`, unless one of the `overrides` answers, with the `site_headers`
//! of the authority. A `purpose` gives the reason for a fetch. `fetcher` joins callers to one fetch:
//! `single_flight` does so within the process, leases of the store between processes (`async_store`, `gathered_reads`,
//! `lease_wait`). `wait_graph` keeps fetches from waiting for each other in a cycle. `ending` is
//! how a fetch ended, `known` is the knowledge about an authority, `answered` draws the answer from
//! it and from the overrides, and `keeping` puts it into the store or, if it cannot be stored
//! (`not_kept`), into `local_knowledge`. `spans` traces fetches.
//! `fetch_shares` divides the fetches of a server among its clients.

pub(crate) mod active_count;
pub(crate) mod answered;
pub(crate) mod async_store;
pub(crate) mod chain;
pub(crate) mod client_error;
mod ending;
pub(crate) mod fetch_limits;
pub(crate) mod fetch_shares;
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
pub(crate) mod overrides;
mod purpose;
pub(crate) mod single_flight;
pub(crate) mod site_headers;
pub(crate) mod spans;
pub(crate) mod wait_graph;
