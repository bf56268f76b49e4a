//! Decides from what is known about authorities. Compiled policies are cached in bounded memory.

pub(crate) mod asking;
pub(crate) mod blocking;
pub(crate) mod client;
pub(crate) mod client_builder;
pub(crate) mod decision;
mod decision_batch;
mod held_policy;
mod policy_cache;
mod turns;
mod urls_by_authority;
