//! A Robots Exclusion Protocol engine: which URLs a robots.txt allows a crawler to fetch, and why.
//!
//! A robots.txt is made of groups. Each group starts with the names of the crawlers that it is for
//! and lists the paths that these crawlers may or may not fetch. A decision takes three steps:
//!
//! 1. **Find the groups.** A crawler has a *product token*, such as `ExampleBot`. It obeys the
//!    groups that name its token. If no group does, it obeys the groups for `*`.
//! 2. **Find the rule.** Among the rules of these groups that match the path and query of the URL,
//!    the *most specific* one decides: the one with the longest pattern. If an allow and a disallow
//!    rule are equally specific, allow takes precedence.
//! 3. **Return a verdict.** A [`Verdict`] is *allow* or *disallow* with a [`Reason`]: the rule and
//!    its line, or that no rule matches, that no group applies, or that the URL is the robots.txt
//!    itself. Only a rule can disallow.
//!
//! ```
//! use verger::{Dialect, Policy};
//!
//! let body = "User-agent: *\nDisallow: /private\nAllow: /private/index.html\n";
//! let policy = Policy::read(body, &"ExampleBot".parse()?, Dialect::Rfc9309);
//! let verdict = policy.decide_url("https://example.com/private/x")?;
//! assert!(!verdict.is_allowed());
//! assert_eq!(verdict.to_string(), "disallowed by line 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which function to call
//!
//! Keep a [`Policy`] if you have more than one URL for a crawler. It holds the rules of that
//! crawler only, is `Send + Sync`, and builds an index once it has answered enough questions to pay
//! for one. For a single question about a body, [`allowed`] and [`verdict()`] scan it once, and
//! [`scan`] does so in any dialect. Keep a [`RobotsTxt`] if you need its groups, records, line
//! numbers or diagnostics. Wrap it in a [`GroupIndex`] if you query it for many crawlers.
//!
//! A [`TargetPath`] is the part of a URL that rules are compared with. Make one yourself if you
//! compare a URL with several policies.
//!
//! # Dialects
//!
//! Crawlers do not all read robots.txt alike. A [`Dialect`] selects the document to follow: RFC
//! 9309, Google's library bit for bit, the Internet-Draft of 2019, or Martijn Koster's draft of
//! 1996. A [`Reading`] is a dialect with options, such as reading misspelled keys. The module
//! [`dialect`] lists every difference, with the clause that permits it.
//!
//! # What it does not do
//!
//! It does not fetch, and it does not interpret status codes: `verger-access` decides what an
//! absent or unreachable file means. It does not rewrite URLs, so pass the URL that you will
//! request. It stores other records, such as `Crawl-delay`, as written, and `verger-extensions`
//! parses their values. It does not judge a file. [`RobotsTxt::diagnostics`] only reports what a
//! reading ignored.
//!
//! # Limits
//!
//! Parsing never fails: any bytes are a robots.txt, read in time and memory linear in the body.
//! Except in `google`, only the first 512,000 bytes are read ([`limits`]). A decision costs at most
//! O(target bytes × rule bytes), whatever the rules are. No input causes a panic.
//!
//! # Modules, in reading order
//!
//! Read `span`, [`limits`] and `dialect` first. `read` turns a body into records and groups.
//! `compare` matches patterns against targets. `crawler`, `product_token` and `group_match` select
//! the groups of a crawler, and `group_index` does so for many crawlers. `rows` stores the rules of
//! a policy, `index` finds the rule that decides, `policy` ties them together, and `verdict` is the
//! answer. `scan` answers in one pass, without a tree. `clause` names the requirement behind an
//! answer. `diagnostic` lists what a reading ignored.
//!
//! Each fast path has a slow reference implementation next to it that follows the documents word
//! for word. Tests hold both to the same answers.
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
#[cfg(feature = "serde")]
mod serialize;
mod span;
mod verdict;

#[doc(hidden)]
pub use allocated_bytes::allocated_bytes;
pub use clause::{Clause, Document};
pub use compare::escape_start::EscapeStart;
pub use compare::path_pattern::{FragmentForm, FragmentPlace, PathPattern};
pub use compare::pattern_value::UnusablePattern;
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
