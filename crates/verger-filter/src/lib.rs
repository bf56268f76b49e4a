//! Selects the URLs that crawlers may fetch, in input order and in bounded memory.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! [`filter_urls`] reads blocks of lines, answers them in several threads, and passes output,
//! counts and problems to a [`FilterObserver`]. Rules come from a single body, or by authority from
//! a [`RobotsDirectory`] or a [`RobotsList`], which `verger-bulk` also uses.
//!
//! # Limits
//!
//! The crate does not write or fetch. It opens only the files that it is given and the files that
//! these name.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `in_order` | runs jobs in several threads and returns their results in order |
//! | `given` | bodies by authority, and the rules made from them |
//! | `filter` | answers blocks of URLs |
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod filter;
mod given;
mod in_order;
#[cfg(doctest)]
mod readme;

pub use filter::{
    BodiesReadAgain, FilterLines, FilterObserver, FilterTally, FilterTerms, Filtered, LinesOf,
    RuleSource, UnansweredLine, WithoutBody, filter_urls,
};
pub use given::{Bodies, BodyRules, GivenRules, RobotsDirectory, RobotsList, RobotsListError};
pub use in_order::{Ended, in_order, thread_count};
