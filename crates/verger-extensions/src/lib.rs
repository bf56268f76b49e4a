//! Reads the other records of a robots.txt, such as `Sitemap` and `Crawl-delay` (RFC 9309 2.2.4).
//! It returns values, never a verdict: none of these records splits a group or changes what may be
//! accessed.
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
//! Each function takes the tree of a file and, if the record belongs to groups, the crawler.
//! Reading a value never fails. An invalid value is left out of the answer but remains among the
//! records as written ([`RobotsTxt::records`](verger::RobotsTxt::records)), and [`value_problems`]
//! explains the problem.
//!
//! # Documents
//!
//! | record | document |
//! |---|---|
//! | `Sitemap` | sitemaps.org: Sitemaps protocol |
//! | `Content-Usage` | draft-ietf-aipref-attach-05, draft-ietf-aipref-vocab-08 |
//! | `Content-Signal` | Cloudflare's Content Signals Policy, 24 September 2025 |
//! | `License` | Really Simple Licensing 1.0, 10 December 2025 |
//! | `X-Robots-Tag`, `Robots-Tag`, robots meta elements | Google's specifications, Bing's "Robots Metatags", draft-illyes-repext-03 |
//! | the others | no maintained document: Verger's choices 75 to 80 ([`verger::Clause`]) |
//!
//! These documents change more often than RFC 9309, so the crate is versioned separately.
//!
//! # What it does not do
//!
//! It does not wait, read a clock or fetch sitemaps. [`Preferences::parse`] also reads the
//! `Content-Usage` response header, but the caller has to combine it with the file.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `records_for` | the records of one kind that apply to a crawler |
//! | `absolute_url` | recognizes absolute URLs |
//! | `number` | decimal digits, saturating |
//! | `key_search` | searches a body for keys without parsing it |
//! | `day_window` | `HHMM-HHMM`: a window of the day, UTC |
//! | `url_record`, `sitemap`, `license` | URLs of the whole file |
//! | `crawl_delay`, `request_rate`, `visit_time` | how fast and when to crawl |
//! | `pacing` | these three together, as a crawler stores them |
//! | `host`, `clean_param`, `noindex` | records that one search engine reads or used to read |
//! | `content_use` | the uses that both vocabularies name, and labels of former drafts |
//! | `content_signal` | permitted uses of the content, by key |
//! | `dictionary` | the part of RFC 9651 dictionaries that preferences need |
//! | `usage_group` | AIPREF's own grouping, in which a Content-Usage line is a rule |
//! | `preferences` | preferences about uses of the content, by category |
//! | `content_usage` | preferences by path |
//! | `stated_preferences` | the preferences of both about a target |
//! | `value_problem` | problems with values |
//! | `link_field` | the header `Link` |
//! | `page_convention` | the documents by which page directives are read |
//! | `page_directive` | one rule of a robots meta element or an `X-Robots-Tag` header |
//! | `robots_tag` | the `Robots-Tag` header, a List of RFC 9651 |
//! | `page_directives` | the rules of a response |
//! | `page_rules` | the rules of a response for one crawler |
#![no_std]
#![cfg_attr(test, allow(clippy::unwrap_used))]

extern crate alloc;

mod absolute_url;
mod clean_param;
mod content_signal;
mod content_usage;
mod content_use;
mod crawl_delay;
mod day_window;
mod dictionary;
mod host;
mod key_search;
mod license;
mod link_field;
mod noindex;
mod number;
mod pacing;
mod page_convention;
mod page_directive;
mod page_directives;
mod page_rules;
mod preferences;
mod records_for;
mod request_rate;
mod robots_tag;
mod sitemap;
mod stated_preferences;
mod url_record;
mod usage_group;
mod value_problem;
mod visit_time;

pub use clean_param::{CleanParam, clean_params};
pub use content_signal::{ContentSignal, Signal, SignalPair, content_signal};
pub use content_usage::{ContentUsage, UsageRule, content_usage};
pub use content_use::{ContentUse, UnknownContentUse};
pub use crawl_delay::{CrawlDelay, crawl_delay, crawl_delay_or_star};
pub use day_window::{DayWindow, TimeOfDay};
pub use host::{Host, host};
pub use license::licenses;
pub use link_field::link_targets;
pub use noindex::{Noindex, noindex};
pub use pacing::{Pacing, pacing};
pub use page_convention::PageConvention;
pub use page_directive::{DirectiveDocument, DirectiveKind, DirectiveSource, PageDirective};
pub use page_directives::{DIRECTIVE_BYTES_MAX, DIRECTIVES_MAX, PageDirectives};
pub use page_rules::{AiUse, ImagePreview, PageOperator, PageReader, PageRules};
pub use preferences::{Preference, Preferences};
pub use request_rate::{RequestRate, request_rates};
pub use sitemap::sitemaps;
pub use stated_preferences::{
    StatedPreferences, StatedValue, TargetPreferences, USAGE_LINES_MAX, has_preferences,
    stated_preferences,
};
pub use url_record::UrlRecord;
pub use usage_group::content_usage_splits;
pub use value_problem::{SpannedProblem, ValueProblem, value_problems};
pub use visit_time::{VisitTime, visit_times};
