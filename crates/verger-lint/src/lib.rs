//! Findings about a robots.txt, and about how it is served: what its owner probably does not mean, with
//! places, help and fixes.
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
//! A finding is built on what the engine reports ([`verger::RobotsTxt::diagnostics`]), on its records and
//! groups, and on the registry of crawlers ([`verger_crawlers::Registry`]); this crate parses nothing
//! itself.
//!
//! # What it does not do
//!
//! It reads no file and no network and prints nothing. It never calls a line with an unknown key an
//! error: RFC 9309 lets implementors define lines of their own. It does not format files.
//!
//! # Limits
//!
//! Any bytes are linted, in time linear in the body but for sorting. Where a lint looks at pairs of
//! things, its page says how many it looks at.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `severity`, `fix`, `finding` | what is found |
//! | `served_site` | its other names; requests in the names of crawlers |
//! | `served`, `conclusions` | how the file is served; what crawlers conclude from an answer |
//! | `text`, `witness` | bytes in a message; a URL that a rule matches |
//! | `line_places`, `agent`, `extent`, `same_meaning` | lines; user-agent lines; what rules do as a whole; two files |
//! | `subject` | the file that lints look at |
//! | `agent_value` | what follows the token on a user-agent line |
//! | `values` | what is odd about values of extension records |
//! | `preferences` | what lines and response headers say about the use of content |
//! | `example` | a file, and how it is served, on the page of a lint |
//! | `lint` | one thing that is looked for, and the page about it |
//! | `lints` | the table of lints, one file for each |
//! | `one_mistake` | findings that only follow from another |
//! | `linted` | a file, and what was found in it |
//! | `fixed` | fixes, put into a body |
//! | `levels` | which lints count, and how much |
//! | `report` | findings as other programs read them, and settings of `verger.toml` (feature `report`) |
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
