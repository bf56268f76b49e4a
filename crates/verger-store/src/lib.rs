//! What was seen of robots.txt files, when: append-only snapshots, bodies stored once however many
//! authorities serve them, and leases so that several processes fetch an authority once.
//!
//! ```
//! use std::time::Duration;
//!
//! use verger_access::{Authority, Timestamp};
//! use verger_store::{Acquisition, MemoryStore, Store};
//!
//! let store = MemoryStore::new(64 << 20);
//! let authority = Authority::of("https://example.com/shop")?;
//! let now = Timestamp::from_unix_seconds(1_800_000_000);
//!
//! // Nothing is known yet, and the first who asks may fetch; then `put` keeps what was seen.
//! assert_eq!(store.latest(&authority)?, None);
//! let first = store.acquire(&authority, "crawler 1", now, Duration::from_secs(60))?;
//! assert!(matches!(first, Acquisition::Granted(_)));
//! let second = store.acquire(&authority, "crawler 2", now, Duration::from_secs(60))?;
//! assert!(matches!(second, Acquisition::HeldUntil { .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it does not do
//!
//! It fetches nothing and judges nothing: `verger-access` says what a snapshot means. It reads no
//! clock, no environment and no chance; time and holders' names are arguments. It keeps the octets
//! of bodies, not compiled policies: reading a body again costs less than reading it from a disk.
//!
//! # Modules, in reading order
//!
//! *The words*: `body_hash`, `kept_headers`, `kept_copy`, `observation` (what is put), `snapshot`
//! (what is kept), `standing` (what is asked), `lease`, `stat`. *The promise*: `store_error`,
//! `store`. *In memory*: `snapshot_record`, `memory_bodies`, `memory_history`,
//! `memory_authorities`, `memory_store`. *In a file*: `store_settings`, `damage`, `hop_lines`,
//! `warning_lines`, `sqlite_schema` (the form of the file), `sqlite_file` (the file on the disk),
//! `sqlite_opening`, `sqlite_failure`, `sqlite_rows`, `sqlite_leases`, `sqlite_sweep` (what is given
//! up), `group_commit` (threads wait for the disk together), `sqlite_writer`, `sqlite_reader`,
//! `sqlite_stat`, `sqlite_check`, `sqlite_import`, `sqlite_store`. *What is made of a history*:
//! `replay` (under another profile); `time_text`, `store_line`, `export`; `read_bodies`,
//! `history_import`, `import_lines`, `import`.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod body_hash;
mod damage;
mod export;
mod group_commit;
mod history_import;
mod hop_lines;
mod import;
mod import_lines;
mod kept_copy;
mod kept_headers;
mod lease;
mod memory_authorities;
mod memory_bodies;
mod memory_history;
mod memory_store;
mod observation;
mod read_bodies;
#[cfg(doctest)]
mod readme;
mod replay;
mod snapshot;
mod snapshot_record;
mod sqlite_check;
mod sqlite_failure;
mod sqlite_file;
mod sqlite_import;
mod sqlite_leases;
mod sqlite_opening;
mod sqlite_reader;
mod sqlite_rows;
mod sqlite_schema;
mod sqlite_stat;
mod sqlite_store;
mod sqlite_sweep;
mod sqlite_writer;
mod standing;
mod stat;
mod store;
mod store_error;
mod store_line;
mod store_settings;
mod time_text;
mod warning_lines;

pub use body_hash::BodyHash;
pub use damage::{Damage, DamageKind};
pub use export::{ExportError, ExportRange, Exported, export};
pub use history_import::HistoryImport;
pub use import::{ImportError, Imported, import};
pub use kept_copy::{BodyAddress, KeptCopy};
pub use kept_headers::{HEADER_FIELDS_MAX, KeptHeaders};
pub use lease::{Acquisition, FencingToken, Lease};
pub use memory_store::MemoryStore;
pub use observation::Observation;
pub use replay::{REPLAYED_SNAPSHOTS_MAX, knowledge_under};
pub use snapshot::{Snapshot, SnapshotId};
pub use sqlite_schema::OpenError;
pub use sqlite_store::SqliteStore;
pub use standing::Standing;
pub use stat::{Stat, Swept};
pub use store::{CallCost, Store};
pub use store_error::StoreError;
pub use store_line::LineError;
pub use store_settings::{StoreSettings, SweepSchedule};
pub use time_text::{TimeTextError, time_of_text, time_text};
