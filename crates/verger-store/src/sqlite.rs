//! The store in a file, for several processes.
//!
//! `store_settings`, `schema` (tables and migrations), `file` (the file on the disk), `opening`,
//! `failure` (errors of `SQLite`), `rows` (with `hop_lines` and `warning_lines`), `leases`, `deliveries`, `sweep`
//! (deletes old snapshots; `quota_scan`, `sweep_preview`), `group_commit` (threads share one commit), `writer`, `reader`, `stat`,
//! `check` (finds `damage`), `stat_answer` (both as JSON), `import`; `sqlite_store` puts them together.

mod check;
pub(crate) mod damage;
mod deliveries;
mod failure;
mod file;
mod group_commit;
mod hop_lines;
mod import;
mod leases;
mod opening;
mod quota_scan;
mod reader;
mod rows;
pub(crate) mod schema;
pub(crate) mod sqlite_store;
mod stat;
pub(crate) mod stat_answer;
pub(crate) mod store_settings;
mod sweep;
mod sweep_preview;
mod warning_lines;
mod writer;
