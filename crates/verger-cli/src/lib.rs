//! The `verger` command: arguments, commands, rendering and exit codes; it decides nothing itself.
//!
//! | module | one line |
//! |---|---|
//! | `command_line` | the commands and their help |
//! | `check` | may these crawlers fetch these URLs, and why |
//! | `fetch` | what happens to the fetch of a robots.txt, and what follows from it |
//! | `history` | what was seen of a site's robots.txt, when, and what changed |
//! | `filter` | of many URLs those that a crawler may fetch |
//! | `lint` | what the owner of a file probably does not mean, with fixes |
//! | `lsp` | a language server: findings, fixes, hover and completion in editors |
//! | `parse` | what a file holds, and what was ignored |
//! | `report` | a page about a robots.txt |
//! | `diff` | what a change of a robots.txt means for each crawler |
//! | `add` | adds rules for some crawlers, without a change for any other |
//! | `who` | how much of a site each known crawler may fetch |
//! | `test_claims` | holds a robots.txt to what its owner wants of it |
//! | `watch` | says when what a robots.txt means has changed |
//! | `audit` | access logs against robots.txt |
//! | `bulk` | captures and URLs by the million, as columns; feature `bulk` |
//! | `robots` | Google's own command line |
//! | `crawlers` | the registry of known crawlers |
//! | `clause` | what a clause says that answers rest on |
//! | `profiles` | what each access profile makes of what happened |
//! | `store` | what was seen, when: size, sweep, export and import |
//! | `completions`, `man` | for shells and for `man` |
//! | `arguments` | arguments that several commands share |
//! | `sources` | robots.txt files and sitemaps out of files and from the web |
//! | `screen` | text for people: colours, progress, notices, formats |
//! | `interrupt` | how a command ends by a signal: leases are given back, programs that it runs are ended |
//! | `outcome` | exit codes |
//! | `left_out`, `without_web` | commands that are known, and not in this build |
//! | `run` | a command line to its exit code |
//!
//! The binary `verger` and the Python package's command call [`run()`]. It is no interface for programs in
//! Rust: those use `verger-client`, `verger-answer` and `verger`.

// What several commands share has no use in a build that leaves them out.
#![cfg_attr(not(feature = "full"), allow(dead_code))]

mod add;
mod arguments;
#[cfg(feature = "audit")]
mod audit;
#[cfg(feature = "bulk")]
mod bulk;
mod check;
mod clause;
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
mod interrupt;
#[cfg(not(feature = "full"))]
mod left_out;
mod lint;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "man")]
mod man;
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
