//! The answers about robots.txt that every interface of Verger gives: the command, the bindings, a service.
//!
//! A question names a crawler ([`CrawlerQuery`]) and a URL. A [`CheckedFile`] answers it with a
//! [`CheckAnswer`]: the result, the deciding rule, and where it is asked for an [`Explanation`] with
//! the other rules that match and the dialects that answer otherwise. [`CheckLine`] is the answer
//! in the JSON of `docs/json.md`.
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
//! It reads no file, no clock and no network: bodies and times are arguments, and a batch gets the
//! files that it names from its caller. It parses no robots.txt and decides nothing itself; that is
//! the engine. It prints nothing: colours, columns and exit codes belong to the interface.
//!
//! The feature `access` adds the state of an authority beside its file: stance, times, clauses ([`AuthorityState`],
//! [`AccessKeys`]), and batches; `rulebook` adds the module of that name. They change no other answer.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `text` | bytes, numbers and times as text: for a terminal, an error, a JSON string; base64 |
//! | `count_of` | a number with its noun |
//! | `json` | JSON that is safe to show |
//! | `workflow_command` | texts in commands of GitHub's workflows |
//! | `csv_cell` | cells of a table for spreadsheets and other programs |
//! | `robots_file` | a body; its tree is made by need |
//! | `reading_option` | options of reading, by name |
//! | `known_clause` | the text of a clause that an answer cites |
//! | `crawlers` | names, tokens, headers and purposes to crawlers, and facts about them |
//! | `verdict_keys` | a verdict as JSON |
//! | `explanation` | the rules that match, the dialects that answer otherwise, and why those do |
//! | `file_diagnostic` | diagnostics about single lines and about the body |
//! | `file_warning` | warnings about a file as a whole |
//! | `other_limit` | the answers of a long file with and without its end |
//! | `access` | the state of an authority beside its file (`access`) |
//! | `check_result`, `check_answer` | the source of a decision; one answer |
//! | `because` | the reason of an answer, in words |
//! | `check_table` | answers as comma-separated values |
//! | `checked_file` | a body and the crawlers that are asked about: makes the answers |
//! | `result_keys` | a URL and the decision about it, as JSON |
//! | `check_line` | an answer as one line of JSON |
//! | `check_parts` | the parts of such lines that are the same for all URLs of an authority (`access`) |
//! | `authority_file` | what is known about an authority, read for one crawler: a cache of answers holds these (`access`) |
//! | `filter_line` | the verdict about one of many URLs as one line of JSON |
//! | `given_body` | a body as a line of JSON gives it |
//! | `batch` | a line with questions to the lines with their answers (`access`) |
//! | `rulebook` | many URLs and the bodies of their authorities (`rulebook`) |
//! | `rule_extent` | how much the rules for a crawler disallow, where they say it |
//! | `parsed` | the contents of a file, and the parts that were ignored |
//! | `pacing_answer` | how long a crawler waits between two requests, and why (`access`) |
//! | `line_changes` | which lines differ between two bodies |
//!
//! A module uses only modules above it.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

#[cfg(feature = "access")]
mod access;
#[cfg(feature = "access")]
mod authority_file;
#[cfg(feature = "access")]
pub mod batch;
mod because;
mod check_answer;
mod check_line;
#[cfg(feature = "access")]
mod check_parts;
mod check_result;
mod check_table;
mod checked_file;
mod count_of;
mod crawlers;
mod csv_cell;
mod explanation;
mod file_diagnostic;
mod file_warning;
mod filter_line;
mod given_body;
#[doc(hidden)]
pub mod json;
mod known_clause;
mod line_changes;
mod other_limit;
#[cfg(feature = "access")]
mod pacing_answer;
pub mod parsed;
mod read_error;
mod reading_option;
#[cfg(doctest)]
mod readme;
mod result_keys;
mod robots_file;
mod rule_extent;
#[cfg(feature = "rulebook")]
pub mod rulebook;
#[doc(hidden)]
pub mod text;
mod verdict_keys;
#[doc(hidden)]
pub mod workflow_command;

#[cfg(feature = "access")]
pub use access::authority_lookup::AuthorityLookup;
#[cfg(feature = "access")]
pub use access::authority_state::AuthorityState;
#[cfg(feature = "access")]
pub use access::keys::{AccessKeys, AccessResultKeys, StoredSiteLine};
#[cfg(feature = "access")]
pub use access::lazy_hash::LazyHash;
#[cfg(feature = "access")]
pub use access::profile_line::ProfileLine;
#[cfg(feature = "access")]
pub use access::written_site::{NoSite, written_site, written_sites};
#[cfg(feature = "access")]
pub use authority_file::AuthorityFile;
pub use check_answer::CheckAnswer;
pub use check_line::{CheckLine, explanation_json};
pub use check_result::CheckResult;
pub use check_table::CheckTable;
pub use checked_file::{CheckedCrawler, CheckedFile, Explaining, Readings};
pub use count_of::{CountOf, HumanCountOf};
pub use crawlers::facts::{crawler_facts, purposes_of, tokens_in_order};
pub use crawlers::line::CrawlerLine;
pub use crawlers::query::CrawlerQuery;
pub use crawlers::query_error::CrawlerQueryError;
pub use crawlers::resolved::ResolvedCrawler;
pub use crawlers::sending::{NotASender, sending_crawler};
pub use csv_cell::write_csv_cells;
pub use explanation::difference::Difference;
pub use explanation::{Candidate, CandidateStatus, Explanation, OtherAnswer};
pub use file_diagnostic::{FileDiagnostic, FileDiagnosticKind};
pub use file_warning::FileWarning;
pub use filter_line::FilterLine;
pub use given_body::{GivenBody, GivenBodyError};
pub use known_clause::{KnownClause, UnknownClause};
pub use line_changes::{Hunk, HunkLine, LineChange, LineChanges};
pub use other_limit::OtherLimitAnswer;
#[cfg(feature = "access")]
pub use pacing_answer::{PacingAnswer, PacingBounds, PacingReason};
pub use read_error::ReadError;
pub use reading_option::{ReadingOption, UnknownReadingOption};
pub use robots_file::RobotsFile;
pub use rule_extent::{Extent, RuleExtent, RuleExtents};
pub use verdict_keys::{GroupKeys, VerdictKeys};
