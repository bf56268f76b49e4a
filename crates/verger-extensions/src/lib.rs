//! Reads the records of a robots.txt beside its rules (RFC 9309 2.2.4): values only, never a verdict. None of
//! them splits a group or changes what may be accessed.
//!
//! ```
//! use verger::{Crawler, Dialect, RobotsTxt};
//! use verger_extensions::{crawl_delay, sitemaps};
//!
//! let body = "User-agent: *\nCrawl-delay: 2.5\nSitemap: https://example.com/s.xml\n";
//! let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
//! let delay = crawl_delay(&robots, &Crawler::unnamed()).unwrap();
//! assert_eq!(delay.milliseconds(), 2500);
//! assert_eq!(sitemaps(&robots).next().unwrap().url(), b"https://example.com/s.xml");
//! ```
//!
//! Each function takes the tree that the engine made of a file, and, where the values are those of groups, the
//! crawler. Reading a value is total: an odd one is left out of the answers, stays among the records as
//! written ([`RobotsTxt::records`](verger::RobotsTxt::records)), and [`value_problems`] says what is wrong with it.
//!
//! # Documents
//!
//! | record | document |
//! |---|---|
//! | `Sitemap` | sitemaps.org: Sitemaps protocol |
//! | `Content-Usage` | draft-ietf-aipref-attach-05, draft-ietf-aipref-vocab-07 |
//! | `Content-Signal` | Cloudflare's Content Signals Policy, 24 September 2025 |
//! | `License` | Really Simple Licensing 1.0, 10 December 2025 |
//! | the others | none that is kept up: Verger's choices 75 to 80 ([`verger::Clause`]) |
//!
//! These change more often than the engine, so the crate has a version of its own.
//!
//! # What it does not do
//!
//! It never waits, asks no clock and fetches no sitemap. What one response header says beside the file is
//! read by [`Preferences::parse`], and combined by its caller.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `records_for` | the records of one kind in the groups that apply to a crawler |
//! | `absolute_url` | whether a value is an absolute URL |
//! | `number` | decimal digits, saturating |
//! | `day_window` | `HHMM-HHMM`: a window of the day, UTC |
//! | `url_record`, `sitemap`, `license` | URLs of the whole file |
//! | `crawl_delay`, `request_rate`, `visit_time` | how fast and when |
//! | `pacing` | the three together, as a crawler keeps them |
//! | `host`, `clean_param`, `noindex` | what one search engine reads, or read |
//! | `content_signal` | what the content may be used for, by key |
//! | `dictionary` | RFC 9651's dictionaries, as much as a preference needs |
//! | `usage_group` | AIPREF's own grouping, in which a Content-Usage line is a rule |
//! | `preferences` | what may be done with content, by category |
//! | `content_usage` | preferences by path |
//! | `value_problem` | what is odd about a value |
#![no_std]
#![cfg_attr(test, allow(clippy::unwrap_used))]

extern crate alloc;

mod absolute_url;
mod clean_param;
mod content_signal;
mod content_usage;
mod crawl_delay;
mod day_window;
mod dictionary;
mod host;
mod license;
mod noindex;
mod number;
mod pacing;
mod preferences;
mod records_for;
mod request_rate;
mod sitemap;
mod url_record;
mod usage_group;
mod value_problem;
mod visit_time;

pub use clean_param::{CleanParam, clean_params};
pub use content_signal::{ContentSignal, Signal, SignalPair, content_signal};
pub use content_usage::{ContentUsage, UsageRule, content_usage};
pub use crawl_delay::{CrawlDelay, crawl_delay, crawl_delay_or_star};
pub use day_window::{DayWindow, TimeOfDay};
pub use host::{Host, host};
pub use license::licenses;
pub use noindex::{Noindex, noindex};
pub use pacing::{Pacing, pacing};
pub use preferences::{Preference, Preferences};
pub use request_rate::{RequestRate, request_rates};
pub use sitemap::sitemaps;
pub use url_record::UrlRecord;
pub use usage_group::content_usage_splits;
pub use value_problem::{SpannedProblem, ValueProblem, value_problems};
pub use visit_time::{VisitTime, visit_times};
