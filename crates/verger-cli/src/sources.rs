//! Where robots.txt files and sitemaps come from: files, standard input, the web.
//!
//! | module | one line |
//! |---|---|
//! | `site_client` | the client of commands that fetch few sites |
//! | `robots_source` | a robots.txt as an argument: a file, or a site to fetch it from |
//! | `site_sitemaps` | sitemaps from files and from the web, robots.txt files of sites |
//! | `site_pages` | pages, fetched if robots.txt allows it |
//! | `given_bodies` | robots.txt files given for each authority |

#[cfg(feature = "filter")]
pub(crate) mod given_bodies;
pub(crate) mod robots_source;
#[cfg_attr(not(feature = "web"), path = "without_web/site_client.rs")]
pub(crate) mod site_client;
#[cfg(feature = "web")]
pub(crate) mod site_pages;
pub(crate) mod site_sitemaps;
