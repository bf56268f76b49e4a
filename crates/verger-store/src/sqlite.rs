//! The store in a file, for several processes.
//!
//! `store_settings`, `schema` (the form of the file), `file` (the file on the disk), `opening`,
//! `failure`, `rows` (by `hop_lines`, `warning_lines`), `leases`, `sweep` (deletes old snapshots),
//! `group_commit` (threads share one wait for the disk), `writer`, `reader`, `stat`, `check` (finds
//! `damage`), `import`, and `sqlite_store`, which is all of it.

mod check;
pub(crate) mod damage;
mod failure;
mod file;
mod group_commit;
mod hop_lines;
mod import;
mod leases;
mod opening;
mod reader;
mod rows;
pub(crate) mod schema;
pub(crate) mod sqlite_store;
mod stat;
pub(crate) mod store_settings;
mod sweep;
mod warning_lines;
mod writer;
