//! The command as it is run: arguments and input in, output and exit code out.
//!
//! | module | one line |
//! |---|---|
//! | `verger` | runs the binary |
//! | `check`, `explain` | answers for readers, and `check --json` |
//! | `warnings` | what is odd about a file, said once a file |
//! | `questions` | URLs and crawlers as they are asked for, and what cannot be asked |
//! | `matrix` | tables of URLs and crawlers |
//! | `batch` | the batch format, every key and every error |
//! | `filter` | URLs in, the allowed ones out: order, authorities, what is missing |
//! | `bulk_check` | URLs by the million, held to `check` |
//! | `bulk_classes` | classes of captures, stores and bodies, held to `who` |
//! | `corpus`, `answers` | the cases of `testdata/` through a batch; the questions of a site's owner |
//! | `lint`, `lint_site` | findings, fixes and settings; findings about how a file is served |
//! | `hooks` | the scripts of the pre-commit hook and of the GitHub Action |
//! | `lsp` | how a session of the language server ends |
//! | `parse` | listing, report and their JSON |
//! | `audit`, `audit_checks`, `audit_columns`, `audit_report` | access logs held to the rules; columns; the page |
//! | `report` | the page about a file or a site |
//! | `owner` | who may fetch what, and what a change means |
//! | `claims` | a robots.txt held to what its owner wants of it |
//! | `shortage` | too few files and sockets: an error, and no outage |
//! | `sitemaps` | what sitemaps list, held to the robots.txt of each site |
//! | `robots` | Google's command line |
//! | `crawlers`, `profiles`, `clause`, `pages` | the registry, the profiles, the clauses; completions, manual pages, help, colours |
//! | `completions` | completions, in the shells themselves |
//! | `store_file` | which file the store is, and its sites |
//! | `store` | what was seen: how much there is, sweeping, export and import |
//! | `bulk_captures` | WARC files in, Parquet out |
//! | `body_end` | a body that is longer than what is read, fetched, stored and confirmed |
//! | `web`, `fetch` | `check` and `fetch` of servers on loopback |
//! | `proxies` | proxies that the environment names |
//! | `help` | help pages, manual pages and mistakes, as snapshots |
//! | `guides` | the guides, run as they are printed |
//! | `waits`, `history` | how long a call takes; what was seen |
//! | `narrow` | pages on the screen of a telephone |
//! | `server`, `past` | such a server; what was seen long ago, put into a store |
//! | `run_files` | what is read is not written |
//! | `repository` | what a repository has beside a robots.txt: links, devices, paths out of it |
//! | `untrusted_text` | what others write acts on no screen, whatever the command and the format |
//! | `progress` | progress on a terminal, and none anywhere else |
//! | `pipes` | closed output pipes, questions that wait for answers |

mod answers;
mod audit;
mod audit_checks;
mod audit_columns;
mod audit_fields;
mod audit_report;
mod batch;
mod body_end;
mod bulk_captures;
mod bulk_check;
mod bulk_classes;
mod bulk_lists;
mod check;
mod claims;
mod clause;
#[cfg(unix)]
mod completions;
mod corpus;
mod crawlers;
mod explain;
mod fetch;
mod filter;
mod guides;
mod help;
mod history;
#[cfg(unix)]
mod hooks;
mod lint;
mod lint_site;
mod lsp;
mod matrix;
mod names;
mod narrow;
mod owner;
mod pages;
mod parse;
mod past;
mod pipes;
mod profiles;
#[cfg(target_os = "linux")]
mod progress;
mod proxies;
mod questions;
mod report;
#[cfg(unix)]
mod repository;
mod robots;
#[cfg(unix)]
mod run_files;
mod server;
mod shortage;
mod sitemaps;
mod store;
mod store_file;
#[cfg(unix)]
mod untrusted_text;
mod verger;
mod waits;
mod warnings;
mod watch;
mod web;
