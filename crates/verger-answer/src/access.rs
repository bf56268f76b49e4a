//! The state of an authority beside its file: stance, times, clauses.
//!
//! | module | one line |
//! |---|---|
//! | `lazy_hash` | the SHA-256 of a body, computed where an answer shows it |
//! | `written_site` | sites as a user writes them |
//! | `authority_state`, `authority_lookup` | the state of an authority at a time |
//! | `keys` | the same as JSON |
//! | `profile_line` | a profile as a line of JSON |

pub(crate) mod authority_lookup;
pub(crate) mod authority_state;
pub(crate) mod keys;
pub(crate) mod lazy_hash;
pub(crate) mod profile_line;
pub(crate) mod written_site;
