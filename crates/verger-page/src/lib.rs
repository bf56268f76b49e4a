//! HTML pages about robots.txt.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! [`RobotsPage`] shows one robots.txt, [`SitesPage`] the sites that a server watches, [`ClassPage`]
//! how much many files disallow, and `AuditPage` (feature `audit`) what crawlers requested according
//! to access logs. The README has an example.
//!
//! A page is one HTML file. It loads nothing and has no scripts, and no text from a file, log or
//! reply can add markup to it.
//!
//! # What it does not do
//!
//! It does not fetch or read files. It reads a site's history from a store. Everything else is an
//! argument.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

#[cfg(feature = "audit")]
mod audit_page;
mod class_page;
#[cfg(doctest)]
mod readme;
mod robots_page;
mod sites_page;
mod web_page;

#[cfg(feature = "audit")]
pub use audit_page::AuditPage;
pub use class_page::ClassPage;
pub use robots_page::RobotsPage;
pub use robots_page::site_facts::{BodyChange, SiteFacts, SiteHistory};
pub use robots_page::verdict_rows::{AskedUrl, AskedUrlError};
pub use sites_page::{SiteEvent, SiteRow, SitesPage};
