//! Robots Exclusion Protocol engine: bytes → records → groups → policy → verdict, in four
//! dialects, and every answer with its reason.
//!
//! ```
//! use verger::{Crawler, Dialect, ProductToken, RobotsTxt, TargetPath};
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
//! assert_eq!(verdict.to_string(), "disallowed by line 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For one question about one body there is [`allowed`].
//!
//! # What it does not do
//!
//! It fetches nothing, knows no status codes and no clock: what an absent or unreachable file
//! means is not decided here. It never rewrites a URL: ask about the URL that will be requested.
//! Records beside the rules, such as `Crawl-delay`, are kept as written; `verger-extensions` reads their
//! values. It does not judge a file; [`RobotsTxt::diagnostics`] only report what a reading ignored.
//!
//! # Limits
//!
//! Parsing is total: any bytes are a robots.txt, in time and memory linear in the body. Outside
//! `google` the first 512,000 bytes are read ([`limits`]). A decision costs at most
//! O(target bytes × rule bytes), whatever the rules are. No input makes it panic.
//!
//! # Modules, in reading order
//!
//! `span`, [`limits`] and `dialect` (every lawful difference, by name) come first. `read` makes records
//! and groups of a body, `compare` says whether a pattern matches a target, and `crawler`,
//! `product_token` and `group_match` say which groups apply; `group_index` says it for many crawlers.
//! `index` finds the rule that decides; `policy` holds all of it, and `verdict` is the answer. `scan`
//! answers in one pass, without a tree. `clause` names what an answer rests on, and `diagnostic`
//! lists what a reading ignored.
//! Each folder has its reference, the slow way that the documents describe, beside the fast one.
#![no_std]
#![allow(
    clippy::inline_always,
    reason = "what is part of a kernel is compiled for the processor that it runs on"
)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

extern crate alloc;

mod allocated_bytes;
mod clause;
mod compare;
mod crawler;
mod diagnostic;
pub mod dialect;
mod group_index;
mod group_match;
mod index;
mod legible;
pub mod limits;
mod policy;
mod product_token;
mod read;
#[cfg(doctest)]
mod readme;
mod rows;
pub mod scan;
mod span;
mod verdict;

#[doc(hidden)]
pub use allocated_bytes::allocated_bytes;
pub use clause::{Clause, Document};
pub use compare::path_pattern::{FragmentForm, PathPattern, UnusablePattern};
pub use compare::specificity::Specificity;
pub use compare::target_path::{TargetPath, TargetPathError};
pub use crawler::{Crawler, Star, UnionNotOffered};
pub use diagnostic::{Diagnostic, DiagnosticKind};
pub use dialect::{Dialect, Reading, UnknownDialect};
pub use group_index::{GroupIndex, GroupSelection};
pub use group_match::GroupMatch;
pub use index::path_match::MatchingRule;
pub use legible::legible;
#[doc(hidden)]
pub use legible::{Shortened, legible_json};
pub use policy::Policy;
pub use product_token::{ProductToken, ProductTokenError};
pub use read::encoding::NotUtf8;
pub use read::gathered::InvalidLines;
pub use read::line::LineTerminator;
pub use read::lines::{Line, LineKind, OpenGroup};
pub use read::parse_event::{LineMetadata, ParseEvent};
pub use read::record::{InvalidLine, KeyForm, RecordKind, Separator};
pub use read::robots_txt::{Group, Record, RobotsTxt, Rule};
pub use scan::question::{QuestionError, allowed, verdict};
pub use span::{LineNumber, Position, Span};
pub use verdict::{
    AppliedGroup, BodyVerdict, Effect, NamedBy, PolicyRule, Reason, RuleId, Verdict,
};
