//! Answers about robots.txt, shared by the command, the bindings and services.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! A question names a crawler ([`CrawlerQuery`]) and a URL. A [`CheckedFile`] returns a
//! [`CheckAnswer`] with the result, the deciding rule and, on request, an [`Explanation`]: the
//! other matching rules, and the dialects with other answers. [`CheckLine`] is the answer in the
//! JSON of `docs/json.md`.
//!
//! ```
//! use verger::Dialect;
//! use verger_answer::{CheckLine, CheckedFile, CrawlerQuery, Explaining, Readings};
//!
//! let readings = Readings::new(Dialect::Rfc9309.into(), Explaining::Yes);
//! let crawlers = CrawlerQuery::Name("googlebot-news".to_owned()).resolve(readings.own())?;
//! let body = "User-agent: googlebot\nDisallow: /news\n";
//! let file = CheckedFile::new(body.into(), &readings, &crawlers);
//!
//! let url = b"https://example.com/news/1";
//! let target = verger::TargetPath::new(url, Dialect::Rfc9309)?;
//! let answer = file.answer(0, url, &target);
//! let json = serde_json::to_string(&CheckLine::new(&answer))?;
//! assert!(json.contains(r#""allowed":false,"reason":"rule","line":2,"rule":"Disallow: /news""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it does not do
//!
//! It does not read files, clocks or the network: bodies and times are arguments, and the caller
//! reads the files that a batch names. The engine parses and decides. Printing belongs to the
//! interface.
//!
//! # Modules, in reading order
//!
//! A module uses only the modules before it.
//!
//! - Basics: `text`, `count_of`, `json`, `workflow_command`, `csv_cell`, `robots_file`,
//!   `reading_option`, `known_clause`, `delay`.
//! - Questions: `crawler_line`, and the names of crawlers in `verger-crawlers`.
//! - One answer: `verdict_keys`, `preference_answer`, `explanation`, `file_diagnostic`, `file_warning`, `other_limit`,
//!   `access`, `check_result`, `check_answer`, `because`, `page`, `check_table`, `checked_file`, `checked_files`,
//!   `result_keys`, `check_line`, `check_parts`, `authority_file`, `agent_hook`.
//! - Many answers: `input_lines`, `filter_line`, `given_body`, `batch`, `read_targets`.
//! - Whole files: `read_indexes`, `rule_extent`, `parsed`, `pacing_answer`, `line_changes`.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod access;
pub mod agent_hook;
mod authority_file;
pub mod batch;
mod check_answer;
mod check_line;
mod check_parts;
mod check_result;
mod check_table;
mod checked_file;
mod checked_files;
mod count_of;
mod crawler_line;
mod csv_cell;
mod delay;
mod explanation;
mod file_diagnostic;
mod file_warning;
mod filter_line;
mod given_body;
mod input_lines;
#[doc(hidden)]
pub mod json;
mod known_clause;
mod line_changes;
mod other_limit;
mod pacing_answer;
mod page;
pub mod parsed;
mod read_error;
mod read_indexes;
mod read_targets;
mod reading_option;
#[cfg(doctest)]
mod readme;
mod result_keys;
mod robots_file;
mod rule_extent;
#[doc(hidden)]
pub mod text;
mod verdict_keys;
#[doc(hidden)]
pub mod workflow_command;

pub use access::authority_lookup::AuthorityLookup;
pub use access::authority_state::AuthorityState;
pub use access::keys::{AccessKeys, AccessResultKeys, StoredSiteLine};
pub use access::lazy_hash::LazyHash;
pub use access::profile_line::ProfileLine;
pub use access::written_site::{NoSite, written_site, written_sites};
pub use authority_file::AuthorityFile;
pub use check_answer::CheckAnswer;
pub use check_answer::preference_answer::PreferenceAnswer;
pub use check_line::{CheckLine, explanation_json};
pub use check_result::CheckResult;
pub use check_table::CheckTable;
pub use checked_file::{CheckedCrawler, CheckedFile, Explaining, Readings};
pub use checked_files::CheckedFiles;
pub use count_of::{CountOf, HumanCountOf};
pub use crawler_line::CrawlerLine;
pub use csv_cell::write_csv_cells;
pub use delay::{Delay, PacingBounds};
pub use explanation::difference::Difference;
pub use explanation::{Candidate, CandidateStatus, Explanation, OtherAnswer};
pub use file_diagnostic::{FileDiagnostic, FileDiagnosticKind};
pub use file_warning::FileWarning;
pub use filter_line::FilterLine;
pub use given_body::{GivenBody, GivenBodyError};
pub use input_lines::{InputLine, InputLineContent, InputLines, LINE_BYTES_MAX};
pub use known_clause::{KnownClause, UnknownClause};
pub use line_changes::{Hunk, HunkLine, LineChange, LineChanges};
pub use other_limit::OtherLimitAnswer;
pub use pacing_answer::{PacingAnswer, PacingReason};
pub use page::page_answer::{PageAccess, PageAnswer, PageReason, PageState};
pub use page::page_date::page_date;
pub use page::page_facts::{HtmlGap, PageFacts, PageFetch, PageLink, RecordedValue};
pub use page::page_finding::PageFinding;
pub use page::page_reader::is_for_search;
pub use page::response_head::{HEAD_BYTES_MAX, HeaderField, ResponseHead, ResponseHeadError};
pub use read_error::ReadError;
pub use read_indexes::ReadIndexes;
pub use read_targets::ReadTargets;
pub use reading_option::{ReadingOption, UnknownReadingOption};
pub use robots_file::RobotsFile;
pub use rule_extent::{Extent, RuleExtent, RuleExtents};
pub use verdict_keys::{GroupKeys, VerdictKeys};
// Every question names a crawler.
#[doc(no_inline)]
pub use verger_crawlers::{
    CrawlerQuery, CrawlerQueryError, CrawlerReadings, NotASender, ReadAs, ResolvedCrawler,
    crawler_facts, purposes_of, sending_crawler, tokens_in_order,
};
