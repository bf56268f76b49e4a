//! The store in memory, bounded by its bytes.
//!
//! `memory_bodies` (each body once), `memory_history` (of one authority), `memory_authorities` (by
//! name, and by the time of last use) and `memory_store`, which is all of it.

mod memory_authorities;
mod memory_bodies;
mod memory_history;
pub(crate) mod memory_store;
