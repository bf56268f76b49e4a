//! The store in memory, of a bounded size.
//!
//! `memory_bodies` holds each body once, `memory_history` the snapshots of one authority,
//! `memory_authorities` the authorities by name and in the order of last use; `memory_state` has them
//! within the bound, and `memory_store` is the store.

mod memory_authorities;
mod memory_bodies;
mod memory_history;
mod memory_state;
pub(crate) mod memory_store;
