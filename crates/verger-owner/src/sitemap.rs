//! Sitemaps (<https://www.sitemaps.org/protocol.html>): which URLs and further sitemaps a file lists.
//!
//! | module | one line |
//! |---|---|
//! | `sitemap_body` | gzip undone, with a limit |
//! | `sitemap_problem` | what is not as the protocol has it |
//! | `sitemap_file` | XML or lines of text, entry by entry |
//! | `sitemap_source` | where a sitemap is |
//! | `sitemap_walk` | the files that a sitemap consists of, where it is an index |
//! | `sitemap_check` | that crawlers may fetch all that it lists |

pub(crate) mod sitemap_body;
pub(crate) mod sitemap_check;
pub(crate) mod sitemap_file;
pub(crate) mod sitemap_problem;
pub(crate) mod sitemap_source;
pub(crate) mod sitemap_walk;
