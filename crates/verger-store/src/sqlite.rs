//! The store in a file, for several processes.
//!
//! | module | content |
//! |---|---|
//! | `store_settings` | quotas and retention |
//! | `schema`, `file`, `opening` | tables and migrations, the file on the disk, how it is opened |
//! | `failure` | errors of `SQLite` as errors of the store |
//! | `rows`, `hop_lines`, `warning_lines` | reading and writing rows |
//! | `leases`, `turns`, `deliveries`, `import` | further operations in a transaction |
//! | `sweep`, `quota_scan`, `sweep_preview` | deletion of old snapshots |
//! | `group_commit`, `writer`, `reader` | connections, and one commit for several threads |
//! | `stat`, `check`, `damage`, `stat_answer` | size and defects, also as JSON |
//! | `sqlite_store` | the store |

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
mod turns;
mod warning_lines;
mod writer;
