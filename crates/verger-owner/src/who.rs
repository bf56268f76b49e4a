//! How much of a site each crawler may fetch.
//!
//! `who_row` answers it, `who_line` is an answer as JSON, `who_csv` as a table; `header_names` are the crawlers with
//! everything disallowed as requests name them, `server_map` those as a part of a web server's configuration.

mod header_names;
pub(crate) mod server_map;
pub(crate) mod who_csv;
pub(crate) mod who_line;
pub(crate) mod who_row;
