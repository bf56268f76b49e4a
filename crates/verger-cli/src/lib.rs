//! The `verger` command: arguments, output and exit codes. Library crates make the decisions.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! | module | one line |
//! |---|---|
//! | `run` | from a command line to its exit code |
//! | `command_line`, `command_groups` | the commands and their help |
//! | `mistake` | arguments that cannot be understood |
//! | `check` | may these crawlers fetch these URLs, and why |
//! | `fetch` | fetches a robots.txt and shows what follows from it |
//! | `filter` | the URLs that crawlers may fetch |
//! | `lint` | likely mistakes in a file, with fixes |
//! | `who` | how much each known crawler may fetch |
//! | `diff` | what a change of a robots.txt changes for each crawler |
//! | `test_claims` | tests a robots.txt against expectations |
//! | `add` | adds rules for some crawlers without changing any other |
//! | `hook` | refuses tool calls of AI agents that robots.txt disallows |
//! | `watch` | reports when the meaning of a robots.txt has changed |
//! | `report` | an HTML page about a robots.txt |
//! | `history` | the stored history of a site |
//! | `audit` | access logs against robots.txt |
//! | `bulk` | captures and URLs by the million, to Parquet; feature `bulk` |
//! | `store` | the store: size, sweep, export and import |
//! | `parse` | how a file is parsed, and what is ignored |
//! | `crawlers` | the registry of known crawlers |
//! | `clause` | the clauses that answers cite |
//! | `profiles` | how each access profile handles the result of a fetch |
//! | `robots` | the interface of Google's own program |
//! | `lsp` | the language server for editors |
//! | `completions`, `man` | shell completions and manual pages |
//! | `arguments` | arguments that several commands share |
//! | `sources` | robots.txt files and sitemaps from files and from the web |
//! | `screen` | output for people: messages, colours, progress, formats |
//! | `interrupt` | gives leases back when a signal ends the command |
//! | `outcome` | exit codes |
//! | `left_out`, `without_web` | stand-ins for commands that are not in this build |
//!
//! The binary `verger` and the command of the Python package call [`run()`]. Programs in Rust should use
//! `verger-client`, `verger-answer` and `verger` instead.

// Shared code may be unused in a build that leaves commands out.
#![cfg_attr(not(feature = "full"), allow(dead_code))]

mod add;
mod arguments;
#[cfg(feature = "audit")]
mod audit;
#[cfg(feature = "bulk")]
mod bulk;
mod check;
mod clause;
mod command_groups;
mod command_line;
mod completions;
mod crawlers;
mod diff;
#[cfg(feature = "web")]
mod fetch;
#[cfg(feature = "filter")]
mod filter;
#[cfg(feature = "web")]
mod history;
#[cfg(feature = "web")]
mod hook;
#[cfg(feature = "web")]
mod interrupt;
#[cfg(not(feature = "full"))]
mod left_out;
mod lint;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "man")]
mod man;
mod mistake;
mod outcome;
mod parse;
mod profiles;
#[cfg(feature = "page")]
mod report;
mod robots;
mod run;
mod screen;
mod sources;
#[cfg(feature = "web")]
mod store;
mod test_claims;
#[cfg(feature = "web")]
mod watch;
mod who;

pub use run::run;
