//! The command as it is run: arguments and input in, output and exit code out.
//!
//! | module | one line |
//! |---|---|
//! | `verger` | runs the binary |
//! | `check` | answers for people, tables, `check --json`, the batch format, wrong questions |
//! | `answers`, `owner` | questions of site owners: who may fetch what, and what a change means |
//! | `judged` | known crawlers, each as its operator reads |
//! | `filter` | URLs in, allowed URLs out: order, authorities, missing files |
//! | `bulk` | URLs and captures by the million, compared with `check` and `who` |
//! | `lint`, `lint_site` | findings, fixes and settings; findings about how a file is served |
//! | `hooks` | the scripts of the pre-commit hook and of the GitHub Action |
//! | `lsp` | the end of a language server session |
//! | `parse` | listing, report and their JSON |
//! | `audit` | access logs against the rules, columns, the page |
//! | `report` | the page about a file or a site |
//! | `claims` | a robots.txt against the expectations of its owner |
//! | `sitemaps` | URLs of sitemaps against the robots.txt of each site |
//! | `robots` | Google's command line |
//! | `crawlers`, `profiles`, `clause`, `pages` | the registry, the profiles, the clauses; completions, manual pages, help, colours |
//! | `completions` | completions, in the shells |
//! | `store` | the file of the store, history, size, sweep, export and import |
//! | `web` | `check` and `fetch` of servers on loopback: proxies, name servers, long bodies, shortages, how long a call takes |
//! | `watch` | changes in what a robots.txt allows |
//! | `help` | help pages and manual pages, as snapshots |
//! | `messages` | every message and its help, in one snapshot |
//! | `guides` | the guides, run as they are printed |
//! | `narrow` | pages on the screen of a phone |
//! | `server`, `past` | a server on loopback, and old results in a store |
//! | `run_files` | inputs are never overwritten |
//! | `repository` | hostile files of a repository: links, devices, paths out of it |
//! | `untrusted_text` | untrusted text never controls a terminal, in any command and format |
//! | `progress` | progress on a terminal only |
//! | `pipes` | closed output pipes, and questions that wait for answers |

mod agent_hook;
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
mod judged;
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
