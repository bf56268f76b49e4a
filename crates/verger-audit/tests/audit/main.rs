//! Logs that are audited in memory.
//!
//! | module | one line |
//! |---|---|
//! | `run` | an audit that is set up as a test says |
//! | `past` | what was seen long ago, in a store |
//! | `rules` | which rules were in force, and who kept them |
//! | `checks` | whose requests are whose |
//! | `names` | names of addresses, asked for while logs are read |
//! | `findings` | what a run may fail on, and the notes about a crawler |
//! | `range_update` | address ranges, fetched into a directory |
//! | `fields` | lines that lack a field, or have one that proves nothing |
//! | `logs` | logs that are compressed, damaged or cut |
#![allow(clippy::unwrap_used)]

mod checks;
mod fields;
mod findings;
mod logs;
#[cfg(feature = "names")]
mod names;
#[path = "../../../verger-store/tests/store/past.rs"]
mod past;
mod range_update;
mod rules;
mod run;
