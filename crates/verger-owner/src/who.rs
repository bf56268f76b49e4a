//! How much of a site each crawler may fetch: as rows, JSON, CSV, and web server configuration.

mod header_names;
pub(crate) mod server_map;
pub(crate) mod summary;
pub(crate) mod topic;
pub(crate) mod who_csv;
pub(crate) mod who_line;
pub(crate) mod who_row;
