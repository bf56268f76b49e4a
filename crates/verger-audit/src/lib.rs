//! Checks access logs against robots.txt: which crawlers fetched disallowed URLs, and whether they
//! were who they claimed to be.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! An [`Audit`] counts requests line by line. A [`LogReader`] splits a line into fields, and the
//! [`CrawlerFinder`] finds the crawler named in its `User-Agent` header. [`RequestChecks`] decide
//! whether the request really comes from that crawler. A [`RulesSource`] supplies the rules, and a
//! [`RulesHistory`] judges the request by the rules in force at its time. The README has an
//! example.
//!
//! # How requests are judged
//!
//! A request is disallowed only if every robots.txt that was or may have been in force during the
//! grace period disallows it. Between two observations of different files, either may have been in
//! force. If the file could not be fetched, nothing is known. A header is only a claim. If an
//! operator documents how to recognize its requests, all others under its name are counted
//! separately ([`RequestCheck::Impostor`]).
//!
//! The crate does not fetch or print. Downloads and messages go through traits ([`UpdateObserver`],
//! [`LogObserver`]). It reads log files and reads and writes check directories. The feature `names`
//! queries name servers. The feature `zstd`, on by default, reads logs compressed with Zstandard.
//!
//! # Limits
//!
//! Memory does not depend on the length of a log.
//!
//! - A line longer than [`LINE_BYTES_MAX`] is counted but not read.
//! - Counted individually: [`HOSTS_MAX`] hosts with rules, one million pairs of host and crawler,
//!   and 200 rules and 400 days for each crawler. The rest is counted together or as unknown.
//! - The names of 200,000 addresses are stored.
//! - Requests to further hosts are judged if all hosts share one file. If each host has its own
//!   file, they are counted in [`LogTotals::of_further_hosts`].
//! - A history is loaded one week at a time, up to 20,000 observations or 64 MiB.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `public_address` | whether an address is on the public Internet |
//! | `log` | reads access logs line by line |
//! | `identity` | which crawler a request claims to come from, and whether it does |
//! | `rules` | which rules were in force, and what they decide |
//! | `rules_cache` | rule histories in bounded memory |
//! | `authority_table` | numbers the authorities of requests |
//! | `tally` | the counts of each crawler |
//! | `visit` | the last requests of a crawler to an authority |
//! | `log_totals` | the totals of all lines |
//! | `checks` | stored evidence for checking requests |
//! | `audit` | counts requests, line by line |
//! | `log_run` | counts whole logs |
//! | `answer` | the result, in the order in which it is shown, and as JSON |
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
    FileRules, Judgement, Period, RuleLine, RulesHistory, RulesInForce, RulesSource, StoreRules,
};
pub use tally::{
    CrawlerTally, DayCount, Days, DisallowedLine, DisallowedLines, Pace, RobotsAnswer,
    RobotsRequest, RobotsRequests, Sample, Span,
};
