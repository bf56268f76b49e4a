//! The store in memory, of a bounded size.
//!
//! `memory_bodies` holds each body once, `memory_history` the snapshots of one authority,
//! `memory_authorities` the authorities by name and in the order of last use; `memory_store` puts
//! them together.

mod memory_authorities;
mod memory_bodies;
mod memory_history;
pub(crate) mod memory_store;
