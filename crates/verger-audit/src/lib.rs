//! Access logs against robots.txt: which crawlers asked for what was disallowed to them, and whether the
//! requests were theirs.
//!
//! An [`Audit`] counts line by line. A [`LogReader`] divides a line, the [`CrawlerFinder`] finds the
//! crawler that its `User-Agent` header names, [`RequestChecks`] say whether the request is that
//! crawler's, a [`RulesSource`] which rules were in force, and a [`RulesHistory`] judges the request by
//! them. The crate's README has an example.
//!
//! # What it says, and what not
//!
//! A request is counted as disallowed only where every robots.txt that was in force during the grace
//! before it, or may have been, disallows it: between two observations of different files either may have
//! been. Where the file could not be fetched, nothing is known. A header is a claim: requests of others
//! under a crawler's name are counted apart ([`RequestCheck::Impostor`]) where its operator says how its
//! requests are known.
//!
//! It fetches nothing by itself and prints nothing: documents and what is said of logs go through traits
//! ([`UpdateObserver`], [`LogObserver`]). Logs and directories of checks are the files that it reads and writes.
//! The feature `names` adds what asks name servers; `zstd`, on by default, logs in Zstandard.
//!
//! # Limits
//!
//! A line of more than [`LINE_BYTES_MAX`] is counted and not read. [`HOSTS_MAX`] hosts of which there are rules are
//! distinguished, one million pairs of host and crawler, 200 lines of rules and 400 days for each crawler, and the names of
//! 200,000 addresses; what is beyond them is counted together, or as unknown. Requests
//! to further hosts are held to the rules where these are one file for all hosts, and are unknown where each host
//! has its own ([`LogTotals::of_further_hosts`]). Of a history, a week is in
//! memory, and of that 20,000 observations or 64 MiB.
//! Memory does not depend on the length of a log.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `public_address` | whether an address is one of the Internet |
//! | `log` | access logs, read line by line |
//! | `identity` | which crawler a request says it is, and whether it is |
//! | `rules` | which rules were in force, and what they said |
//! | `rules_cache` | histories of rules in bounded memory |
//! | `authority_table` | the authorities of requests, each with a number |
//! | `tally` | what is counted of each crawler |
//! | `visit` | what a crawler did last at an authority |
//! | `log_totals` | what is counted of all lines |
//! | `checks` | what requests are checked with, kept in directories |
//! | `audit` | lines in, what crawlers did out |
//! | `log_run` | whole logs, read line by line and counted |
//! | `answer` | what was counted, in the order in which it is shown, and as JSON |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod answer;
mod audit;
mod authority_table;
mod checks;
mod identity;
mod log;
mod log_run;
mod log_totals;
mod public_address;
#[cfg(doctest)]
mod readme;
mod rules;
mod rules_cache;
mod tally;
mod visit;

pub use answer::{AuditAnswer, AuditFinding, COLUMNS, Column, Undecided};
pub use audit::{Audit, AuditSettings, CountedCrawler};
pub use authority_table::HOSTS_MAX;
pub use checks::{
    CheckDirectories, ChecksError, NameSource, NamesFile, NoCheckDirectory, RangeAges, RangeUpdate,
    UpdateObserver, UpdatedRanges,
};
#[cfg(feature = "names")]
pub use checks::{NameAsker, NamesUnanswered};
pub use identity::{
    AddressSet, ConfirmedNames, CrawlerFinder, EVIDENCE_HOLDS, RangeDocument, RangeDocumentError,
    RequestCheck, RequestChecks, ReverseZones,
};
pub use log::{
    FormatError, JsonField, JsonFieldError, JsonFields, LINE_BYTES_MAX, LineProblem, LogFormat,
    LogLine, LogLines, LogReader, LogRequest, LoggedRequest,
};
pub use log_run::{LogObserver, LogRun};
pub use log_totals::{LinePlace, LogTotals};
pub use rules::{
    FileRules, InForce, Judgement, RuleLine, RulesHistory, RulesInForce, RulesSource, StoreRules,
};
pub use tally::{
    CrawlerTally, DayCount, Days, DisallowedLine, DisallowedLines, Pace, RobotsAnswer,
    RobotsRequest, RobotsRequests, Sample, Span,
};
