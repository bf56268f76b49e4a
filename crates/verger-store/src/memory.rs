//! The store in memory, of a bounded size.
//!
//! | module | content |
//! |---|---|
//! | `memory_bodies` | each body once |
//! | `memory_history` | the snapshots and the lease of one authority |
//! | `memory_authorities` | the authorities, by name and by last use |
//! | `memory_state` | all of these, within the bound |
//! | `memory_store` | the store |

mod memory_authorities;
mod memory_bodies;
mod memory_history;
mod memory_state;
pub(crate) mod memory_store;
