//! Finds lines in a robots.txt that probably do not do what their owner means, with places, help
//! and fixes.
//!
//! ```
//! use verger_lint::{Linted, Served, Severity};
//!
//! let file = Linted::new("User-agent: *\nDisallow: private\n", &Served::default());
//! let finding = &file.findings()[0];
//! assert_eq!((finding.code, finding.severity), ("missing-leading-slash", Severity::Error));
//! assert_eq!(file.position(finding.span().start).to_string(), "2:11");
//! ```
//!
//! Lints look at the diagnostics, records and groups of the engine
//! ([`verger::RobotsTxt::diagnostics`]), at the registry of crawlers
//! ([`verger_crawlers::Registry`]) and at how the file is served ([`Served`]). Each lint has its
//! own file and page.
//!
//! # What it does not do
//!
//! This crate does no IO, no parsing and no formatting. A line with an unknown key alone is never
//! an error, because RFC 9309 lets implementors define lines of their own.
//!
//! # Limits
//!
//! Linting accepts any bytes and takes linear time, except for sorting. The pages of lints that
//! compare pairs give their limits.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `severity`, `fix`, `finding` | findings |
//! | `served_site` | a site's other names, and requests as crawlers |
//! | `served` | how the file is served |
//! | `part`, `text`, `witness` | places inside a place, bytes in messages, URLs that a rule matches |
//! | `line_places`, `agent`, `extent`, `same_meaning` | lines, user-agent lines, effects of rules,
//! comparison of two files |
//! | `platform` | blocks that a platform writes |
//! | `subject` | the linted file |
//! | `conclusions` | the conclusions that crawlers draw from a response |
//! | `agent_value` | text after the token on a user-agent line |
//! | `values` | odd values of extension records |
//! | `preferences` | lines and response headers about the use of content |
//! | `page_example`, `example` | a page or a file on a lint's page |
//! | `lint` | a lint and its page |
//! | `page_subject` | a page and its findings (feature `report`) |
//! | `page_lints` | lints about the directives of a page, each in its own file |
//! | `lints` | the table of lints, each in its own file |
//! | `one_mistake` | findings that only follow from another |
//! | `linted` | a file and its findings |
//! | `fixed` | applying fixes |
//! | `levels` | enabled lints and their severities |
//! | `report` | JSON, SARIF, annotations and `verger.toml` (feature `report`) |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod agent;
mod agent_value;
mod conclusions;
mod example;
mod extent;
mod finding;
mod fix;
mod fixed;
mod levels;
mod line_places;
mod lint;
mod linted;
mod lints;
mod one_mistake;
mod page_example;
mod page_lints;
#[cfg(feature = "report")]
mod page_subject;
mod part;
mod platform;
mod preferences;
#[cfg(feature = "report")]
pub mod report;
mod same_meaning;
mod served;
mod served_site;
mod severity;
mod subject;
mod text;
mod values;
mod witness;

pub use example::Example;
pub use finding::{Finding, LabelledSpan};
pub use fix::{Edit, Fix, Meaning};
pub use fixed::{Fixed, Fixing, fixed};
pub use levels::{Level, Levels, UnknownLint};
pub use lint::Lint;
pub use linted::Linted;
pub use lints::{all, by_code};
pub use served::{OtherFetch, Served, ServedFetch};
pub use served_site::{is_answer, other_names_of, usual_header_of};
pub use severity::Severity;
#[cfg(feature = "report")]
pub use {
    page_lints::{lint_page, with_linted_page},
    page_subject::PageSubject,
};
