//! Audits of logs in memory.
//!
//! | module | one line |
//! |---|---|
//! | `run` | an audit with the settings of a test |
//! | `past` | past observations in a store |
//! | `rules` | which rules were in force, and which crawlers obeyed them |
//! | `checks` | who sent a request |
//! | `names` | host names, queried while logs are read |
//! | `findings` | the findings that can fail a run, and the notes about a crawler |
//! | `range_update` | address ranges, downloaded into a directory |
//! | `fields` | lines that lack a field or have a field that proves nothing |
//! | `logs` | compressed, damaged and truncated logs |
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
