//! Answers to a site owner's questions about a robots.txt.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! - [`who`] returns how much of a site each crawler may fetch, and which group decides.
//!   [`summary`] counts crawlers by topic.
//! - [`FileComparison`] groups crawlers by how a change affects them. Each direction has an example
//!   URL or a proof of absence. [`UrlCounts`] counts the affected URLs of a list or
//!   sitemap.
//! - [`check_claims`] checks the expectations in a [`ClaimFile`], and a [`SitemapChecker`] those
//!   about sitemaps. A [`ClaimReport`] holds the results.
//! - [`each_history_entry`] visits the snapshots of a site in a store and the changes between them.
//!
//! The answers serialize to the JSON of `docs/json.md`. [`FileQuestion`], [`history_json`] and
//! [`history_json_of_export`] return it as text, for bindings.
//!
//! ```
//! use verger::{Dialect, RobotsTxt};
//! use verger_answer::ReadAs;
//! use verger_compare::{Budget, ExtentClass};
//! use verger_owner::{crawlers_of, who};
//!
//! let body = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n";
//! let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
//! let crawlers = crawlers_of([&robots], ReadAs::default());
//! let rows = who(robots, &crawlers, Budget::default());
//! let class = |name: &str| {
//!     let row = rows.iter().find(|row| row.crawler.name() == name)?;
//!     row.extent.class()
//! };
//! assert_eq!(class("gptbot"), Some(ExtentClass::EverythingDisallowed));
//! assert_eq!(class("googlebot"), Some(ExtentClass::SomeDisallowed));
//! ```
//!
//! # What it does not do
//!
//! It does not read files, fetch or print. Callers implement [`SitemapReader`]. `verger-compare`
//! compares policies, `verger-answer` resolves crawlers, and `verger-watch` reports changes.

mod addition;
mod change_lines;
mod claims;
mod crawler_list;
mod file_comparison;
mod file_policies;
mod file_question;
mod history;
mod listed;
#[cfg(doctest)]
mod readme;
mod sitemap;
mod url_counts;
mod who;

pub use addition::{Addition, NewRule, NotAdded, WithoutEffect};
pub use change_lines::{ChangeLine, change_lines, write_change_lines};
pub use claims::checked_claim::{CheckedClaim, ClaimResult, check_claims};
pub use claims::claim::{About, Claim};
pub use claims::claim_file::{ClaimFile, ClaimFileError, SitemapClaim, unknown_names};
pub use claims::claim_line::ClaimLine;
pub use claims::claim_report::{ClaimAnswer, ClaimEnd, ClaimReport};
pub use claims::claims_of_file::claims_of_file;
pub use claims::github::write_github;
pub use claims::junit::write_junit;
pub use crawler_list::{crawlers_of, cut_names, first_names, shown_names};
pub use file_comparison::{FileComparison, PolicyChange};
pub use file_question::{FileQuestion, FileQuestionError};
pub use history::change_meaning::ChangeMeaning;
pub use history::history_entry::{HistoryEntry, each_history_entry};
pub use history::history_line::{
    HistoryDetail, HistoryLine, HistoryTextError, history_json, history_json_of_export,
};
pub use history::snapshot_change::{BodyChange, SnapshotChange};
pub use sitemap::page_check::{CheckedPages, ClaimedPages, PagesToCheck};
pub use sitemap::sitemap_body::SITEMAP_BYTES_MAX;
pub use sitemap::sitemap_check::{CheckedSitemap, SitemapChecker, SitemapToCheck};
pub use sitemap::sitemap_file::{SitemapEntry, read_sitemap};
pub use sitemap::sitemap_problem::SitemapProblem;
pub use sitemap::sitemap_source::{NotASitemapUrl, SitemapSource};
pub use sitemap::sitemap_walk::SitemapReader;
pub use url_counts::url_count_lines::write_url_count_lines;
pub use url_counts::{ChangedUrl, ChangedUrls, UrlCount, UrlCounts};
pub use who::server_map::{Server, ServerMap};
pub use who::summary::{ClassSummary, TopicSummary, summary};
pub use who::topic::Topic;
pub use who::who_csv::write_who_csv;
pub use who::who_line::{WhoGroup, WhoLine};
pub use who::who_row::{GroupOfCrawler, WhoRow, who};
