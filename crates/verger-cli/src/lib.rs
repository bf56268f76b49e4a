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
//! | `reading_arguments` | `--dialect` and `--reading` |
//! | `budget_arguments` | `--max-states` |
//! | `crawler_arguments` | `-a`, `--token` and `--user-agent` in the order given |
//! | `crawler_names` | names of crawlers, and which are known |
//! | `store_arguments` | `--store`, and the file that it names |
//! | `fetch_store` | the store that fetches are kept in: a file, memory, or what replaces one that cannot be used |
//! | `time_argument` | a time such as `2026-11-20`, `7d` |
//! | `transport_arguments` | how requests are sent and names are resolved |
//! | `fetch_arguments`, `profile_names` | how robots.txt is fetched, and what decides |
//! | `interrupt` | how a command ends by a signal: leases are given back, programs that it runs are ended |
//! | `robots_source` | a robots.txt as an argument: a file, or a site of which it is fetched |
//! | `site_client` | the client of commands that fetch few sites |
//! | `site_sitemaps` | sitemaps out of files and from the web, robots.txt files of sites |
//! | `given_bodies` | bodies that are given by authority, opened as arguments name them |
//! | `hunks` | lines that changed |
//! | `octet_text` | octets that are the output, and how octets are shown |
//! | `terminal` | how wide what is shown may be |
//! | `palette`, `progress`, `notice`, `fetch_progress` | colours, and what goes to standard error |
//! | `outcome` | exit codes |
//! | `output_format`, `rendering` | `--format` and `--json`; answers, written in one format |
//! | `left_out`, `without_web` | commands that are known, and not in this build |
//! | `run` | a command line to its exit code |
//!
//! The binary `verger` and the Python package's command call [`run()`]. It is no interface for programs in
//! Rust: those use `verger-client`, `verger-answer` and `verger`.

// What several commands share has no use in a build that leaves them out.
#![cfg_attr(not(feature = "full"), allow(dead_code))]

mod add;
#[cfg(feature = "audit")]
mod audit;
mod budget_arguments;
#[cfg(feature = "bulk")]
mod bulk;
mod check;
mod clause;
mod command_line;
mod completions;
mod crawler_arguments;
mod crawler_names;
mod crawlers;
mod diff;
#[cfg(feature = "web")]
mod fetch;
#[cfg_attr(not(feature = "web"), path = "without_web/fetch_arguments.rs")]
mod fetch_arguments;
#[cfg(feature = "web")]
mod fetch_progress;
#[cfg(feature = "web")]
mod fetch_store;
#[cfg(feature = "filter")]
mod filter;
#[cfg(feature = "filter")]
mod given_bodies;
#[cfg(feature = "web")]
mod history;
mod hunks;
#[cfg(feature = "web")]
mod interrupt;
#[cfg(not(feature = "full"))]
mod left_out;
mod lint;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "man")]
mod man;
mod notice;
mod octet_text;
mod outcome;
mod output_format;
mod palette;
mod parse;
mod profile_names;
mod profiles;
#[cfg_attr(
    not(any(feature = "web", feature = "filter")),
    path = "without_web/progress.rs"
)]
mod progress;
mod reading_arguments;
mod rendering;
#[cfg(feature = "page")]
mod report;
mod robots;
mod robots_source;
mod run;
#[cfg_attr(not(feature = "web"), path = "without_web/site_client.rs")]
mod site_client;
mod site_sitemaps;
#[cfg(feature = "web")]
mod store;
#[cfg(feature = "web")]
mod store_arguments;
mod terminal;
mod test_claims;
mod time_argument;
#[cfg(feature = "web")]
mod transport_arguments;
#[cfg(feature = "web")]
mod watch;
mod who;

pub use run::run;
