//! Makes one fetch per authority for any number of callers.
//!
//! `flights` drives the session of `verger-access`, which joins callers to one flight, divides permits and waits for
//! leases. `fetcher` asks it, and `course` carries out the steps of a flight, with calls of the store (`async_store`,
//! `gathered_reads`). `chain` drives the access machine over a transport and returns what was `fetched`, unless one of the
//! `overrides` answers, with the `site_headers` of the authority. `known` is the knowledge about an authority,
//! `answered` draws the answer from it and from the overrides, and `keeping` puts the result of an attempt into the store
//! or, if it cannot be stored (`not_kept`), into `local_knowledge`. `spans` traces fetches.
//! `fetch_shares` divides the fetches of a server among its clients.

pub(crate) mod active_count;
pub(crate) mod answered;
pub(crate) mod async_store;
pub(crate) mod chain;
pub(crate) mod client_error;
mod course;
pub(crate) mod fetch_shares;
pub(crate) mod fetched;
pub(crate) mod fetcher;
pub(crate) mod flights;
mod gathered_reads;
mod keeping;
pub(crate) mod known;
pub(crate) mod local_knowledge;
pub(crate) mod not_kept;
pub(crate) mod observer;
pub(crate) mod overrides;
pub(crate) mod site_headers;
pub(crate) mod spans;
