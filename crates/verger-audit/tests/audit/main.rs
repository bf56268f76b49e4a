//! Logs that are audited in memory.
//!
//! | module | one line |
//! |---|---|
//! | `run` | an audit that is set up as a test says |
//! | `past` | what was seen long ago, in a store |
//! | `rules` | which rules were in force, and who kept them |
//! | `checks` | whose requests are whose |
//! | `fields` | lines that lack a field, or have one that proves nothing |
//! | `logs` | logs that are compressed, damaged or cut |
#![allow(clippy::unwrap_used)]

mod checks;
mod fields;
mod logs;
#[path = "../../../verger-store/tests/store/past.rs"]
mod past;
mod rules;
mod run;
