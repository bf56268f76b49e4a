//! Sitemaps (<https://www.sitemaps.org/protocol.html>): reading them, and checking that crawlers
//! may fetch and index what they list.

pub(crate) mod page_check;
pub(crate) mod sitemap_body;
pub(crate) mod sitemap_check;
pub(crate) mod sitemap_file;
pub(crate) mod sitemap_problem;
pub(crate) mod sitemap_source;
pub(crate) mod sitemap_walk;
