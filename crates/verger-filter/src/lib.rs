//! Selects the URLs that crawlers may fetch: lines in, lines out, in order and in bounded memory.
//!
//! [`filter_urls`] reads blocks of lines, answers them in several threads, and hands what is to be written, counted
//! and reported to a [`FilterObserver`]. Rules come from one body, or by authority from a [`RobotsDirectory`] or a
//! [`RobotsList`]; `verger-bulk` uses these, too.
//!
//! # What it does not do
//!
//! It writes nothing, and opens nothing but the directory that it is given. It fetches nothing.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `in_order` | pieces of work through several threads, and their results in order |
//! | `given` | bodies that are given by authority, and the rules made of them |
//! | `filter` | blocks of URLs to their answers |
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
