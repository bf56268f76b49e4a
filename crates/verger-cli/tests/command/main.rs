//! The command as it is run: arguments and input in, output and exit code out.
//!
//! | module | one line |
//! |---|---|
//! | `verger` | runs the binary |
//! | `check` | answers for readers, tables, `check --json`, the batch format, what cannot be asked |
//! | `answers`, `owner` | the questions of a site's owner: who may fetch what, and what a change means |
//! | `filter` | URLs in, the allowed ones out: order, authorities, what is missing |
//! | `bulk` | URLs and captures by the million, held to `check` and `who` |
//! | `lint`, `lint_site` | findings, fixes and settings; findings about how a file is served |
//! | `hooks` | the scripts of the pre-commit hook and of the GitHub Action |
//! | `lsp` | how a session of the language server ends |
//! | `parse` | listing, report and their JSON |
//! | `audit` | access logs held to the rules; columns; the page |
//! | `report` | the page about a file or a site |
//! | `claims` | a robots.txt held to what its owner wants of it |
//! | `sitemaps` | what sitemaps list, held to the robots.txt of each site |
//! | `robots` | Google's command line |
//! | `crawlers`, `profiles`, `clause`, `pages` | the registry, the profiles, the clauses; completions, manual pages, help, colours |
//! | `completions` | completions, in the shells themselves |
//! | `store` | which file the store is; what was seen: history, size, sweeping, export and import |
//! | `web` | `check` and `fetch` of servers on loopback: proxies, name servers, long bodies, shortages, how long a call takes |
//! | `watch` | changes of what a robots.txt means |
//! | `help` | help pages and manual pages, as snapshots |
//! | `messages` | every message and its help, in one snapshot |
//! | `guides` | the guides, run as they are printed |
//! | `narrow` | pages on the screen of a telephone |
//! | `server`, `past` | a server on loopback; what was seen long ago, put into a store |
//! | `run_files` | what is read is not written |
//! | `repository` | what a repository has beside a robots.txt: links, devices, paths out of it |
//! | `untrusted_text` | what others write acts on no screen, whatever the command and the format |
//! | `progress` | progress on a terminal, and none anywhere else |
//! | `pipes` | closed output pipes, questions that wait for answers |

mod answers;
mod audit;
mod bulk;
mod check;
mod claims;
mod clause;
#[cfg(unix)]
mod completions;
mod crawlers;
mod filter;
mod guides;
mod help;
#[cfg(unix)]
mod hooks;
mod lint;
mod lint_site;
mod lsp;
mod messages;
mod narrow;
mod owner;
mod pages;
mod parse;
mod past;
mod pipes;
mod profiles;
#[cfg(target_os = "linux")]
mod progress;
mod report;
#[cfg(unix)]
mod repository;
mod robots;
#[cfg(unix)]
mod run_files;
mod server;
mod sitemaps;
mod store;
#[cfg(unix)]
mod untrusted_text;
mod verger;
mod watch;
mod web;
