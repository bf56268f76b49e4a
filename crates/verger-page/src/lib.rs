//! Pages about robots.txt, to be read in a browser: answers in, one HTML file out, without scripts.
//!
//! [`RobotsPage`] is about one robots.txt, [`ClassPage`] about how much many files disallow, and `AuditPage` (feature
//! `audit`) about what crawlers did by access logs. The crate's README has an example.
//!
//! # What it does not do
//!
//! It reads nothing but the history that a store has of a site, and fetches nothing: what else a page shows is an
//! argument. A page loads nothing and runs nothing, and
//! no text of a file, a log or a reply can add markup to it.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `web_page` | the frame of a page, its tables, drawings and texts |
//! | `robots_page` | a robots.txt: who may fetch what, findings, the file, its history |
//! | `class_page` | how many of many files disallow how much, by crawler |
//! | `audit_page` | what crawlers asked for, by access logs (`audit`) |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

#[cfg(feature = "audit")]
mod audit_page;
mod class_page;
#[cfg(doctest)]
mod readme;
mod robots_page;
mod web_page;

#[cfg(feature = "audit")]
pub use audit_page::AuditPage;
pub use class_page::ClassPage;
pub use robots_page::RobotsPage;
pub use robots_page::site_facts::{BodyChange, SiteFacts, SiteHistory};
pub use robots_page::verdict_rows::{AskedUrl, AskedUrlError};
