//! Robots Exclusion Protocol engine: octets → records → groups → policy → verdict, in four
//! dialects, and every answer with its reason.
//!
//! ```
//! use verger::{Crawler, Dialect, ProductToken, Reason, RobotsTxt, TargetPath};
//!
//! let robots = RobotsTxt::parse(
//!     "User-agent: *\nDisallow: /private\nAllow: /private/index.html\n",
//!     Dialect::Rfc9309,
//! );
//! let crawler = Crawler::from(ProductToken::new("ExampleBot")?);
//! let policy = robots.policy(&crawler); // keep it, and ask as often as you like
//!
//! let target = TargetPath::new("https://example.com/private/x", Dialect::Rfc9309)?;
//! let verdict = policy.decide(&target);
//! assert!(!verdict.is_allowed());
//! assert!(matches!(verdict.reason(), Reason::Rule { rule, .. } if rule.line.get() == 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For one question about one body there is [`allowed`]; for several crawlers at once, [`effects`].
//!
//! # What it does not do
//!
//! It fetches nothing, knows no status codes and no clock: what an absent or unreachable file
//! means is not decided here. It never rewrites a URL: ask about the URL that will be requested.
//! Values such as `Crawl-delay` are read and given out, and never change a verdict. It has no
//! opinion on whether a file is good; [`RobotsTxt::diagnostics`] only say what a reading ignored.
//!
//! # Limits
//!
//! Parsing is total: any octets are a robots.txt, in time and memory linear in the body. Outside
//! `google` the first 512,000 octets are read ([`limits`]). A decision costs at most
//! O(target octets × rule octets), whatever the rules are. No input makes it panic.
//!
//! # Modules, in reading order
//!
//! *What is read*: `span`, [`limits`], `dialect` (every lawful difference, by name), `encoding`,
//! `line` and its fast twin `line_batch`, `line_window`, `usual_key`, `plain_value`, `record`, `group`
//! (a machine of two states), `kept_record`, `group_extent`, `robots_txt`; told again by `lines`,
//! `parse_event` (as Google's library reports) and `diagnostic`. *What is looked for*: `octets`
//! (comparison forms), `octet_search`, `product_token`, `crawler`, `path_pattern` and its fast twin
//! `plain_pattern`, `target_path`. *Where both meet*: `group_match`; `path_match`, which asks every
//! rule, and its fast twin `rule_index`; `policy`, `verdict`. *In one pass, without a tree*: `scan`.
//! Beside them `clause` (what an answer rests on), `extension` (values, never a verdict), `allocated_octets` and `shortened`.
#![no_std]
#![cfg_attr(test, allow(clippy::unwrap_used))]

extern crate alloc;

mod allocated_octets;
mod clause;
mod crawler;
mod diagnostic;
mod dialect;
mod encoding;
mod extension;
mod group;
mod group_extent;
mod group_match;
mod kept_record;
pub mod limits;
mod line;
mod line_batch;
mod line_window;
mod lines;
mod octet_search;
mod octets;
mod parse_event;
mod path_match;
mod path_pattern;
mod plain_pattern;
mod plain_value;
mod policy;
mod product_token;
mod record;
mod robots_txt;
mod rule_index;
mod scan;
mod shortened;
mod span;
mod target_path;
mod usual_key;
mod verdict;

pub use allocated_octets::allocated_octets;
pub use clause::{Clause, Document};
pub use crawler::{Crawler, Star};
pub use diagnostic::{Diagnostic, DiagnosticKind};
pub use dialect::{
    AgentList, AllowLines, Dialect, EncodingMismatch, OtherRecords, Reading, UnknownDialect,
};
pub use encoding::NotUtf8;
pub use extension::{
    CleanParam, ContentSignal, ContentUsage, CrawlDelay, DayWindow, Host, Noindex, Preference,
    Preferences, RequestRate, Signal, SignalPair, TimeOfDay, UrlRecord, UsageRule, ValueProblem,
    VisitTime,
};
pub use group_match::GroupMatch;
pub use lines::{Line, LineKind};
pub use parse_event::{LineMetadata, ParseEvent};
pub use path_match::MatchingRule;
pub use path_pattern::{Specificity, UnusablePattern};
pub use policy::Policy;
pub use product_token::{ProductToken, ProductTokenError};
pub use record::{InvalidLine, KeyForm, RecordKind, Separator};
pub use robots_txt::{Group, Record, RobotsTxt, Rule};
pub use scan::{QuestionError, allowed, effect, effects};
pub use span::{LineNumber, Span};
pub use target_path::{TargetPath, TargetPathError};
pub use verdict::{AppliedGroup, DecidingRule, Effect, NamedBy, Reason, Verdict};
