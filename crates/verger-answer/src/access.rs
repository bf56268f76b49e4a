//! The state of an authority, as opposed to its file: stance, times, clauses.

pub(crate) mod authority_lookup;
pub(crate) mod authority_state;
pub(crate) mod keys;
pub(crate) mod lazy_hash;
#[cfg(test)]
pub(crate) mod looked_up;
pub(crate) mod profile_line;
pub(crate) mod written_site;
