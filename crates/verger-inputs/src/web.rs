//! Settings of `verger-client` as text, and requests for pages and files other than robots.txt.

pub(crate) mod contact;
pub(crate) mod environment_proxies;
pub(crate) mod fetched_page;
pub(crate) mod json_poster;
pub(crate) mod kept_pages;
pub(crate) mod network_text;
pub(crate) mod page_fetcher;
pub(crate) mod page_record;
pub(crate) mod site_text;
pub(crate) mod web_error;
pub(crate) mod web_reader;
