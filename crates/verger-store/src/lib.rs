//! The history of robots.txt files: append-only snapshots, bodies stored once however many authorities serve them, and
//! leases so that several processes fetch an authority once.
//!
//! ```
//! use std::time::Duration;
//!
//! use verger_access::{Authority, Timestamp};
//! use verger_store::{Acquisition, MemoryStore, Store};
//!
//! let store = MemoryStore::new(64 << 20);
//! let authority = Authority::from_url("https://example.com/shop")?;
//! let now = Timestamp::from_unix_seconds(1_800_000_000);
//!
//! // Nothing is known yet, so the first caller may fetch; then it puts what it saw.
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
//! It fetches nothing and judges nothing: `verger-access` decides what a snapshot means. It reads no
//! clock and no environment, and has no randomness; the time and the names of holders are arguments.
//! It keeps the bytes of bodies, not compiled policies: parsing a body costs less than reading it
//! from a disk.
//!
//! # Modules, in reading order
//!
//! *What is put and read*: `body_hash`, `kept_headers`, `kept_copy`, `kept_head`, `hop_facts`, `packed_facts`, `observation`, `snapshot`,
//! `stored_state` (what was known at a time), `lease`, `delivery`, `stat`. *The interface*: `shortage`,
//! `store_error`, `store`.
//! *Its implementations*: `snapshot_record` (the compact encoding of a snapshot), `memory`, and with
//! the feature `sqlite`, which is on by default, `sqlite`; with the feature `postgres`, `postgres`; `kept_store` (whichever a user names); `unusable_store`. *Uses of a history*: `each_snapshot`, `replay` (what another
//! profile would know), `time_text`, `written_time` and `written_length` (as users write them), `timeline` (what happened, in a bounded number of slots of time), `transfer` (export
//! and import).
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod body_hash;
mod delivery;
mod each_snapshot;
mod hop_facts;
mod kept_copy;
mod kept_head;
mod kept_headers;
#[cfg(feature = "sqlite")]
mod kept_store;
mod lease;
mod memory;
mod observation;
mod packed_facts;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(doctest)]
mod readme;
mod replay;
mod shortage;
mod snapshot;
mod snapshot_record;
#[cfg(feature = "sqlite")]
mod sqlite;
mod stat;
mod store;
mod store_error;
mod stored_state;
mod time_text;
mod timeline;
mod transfer;
mod unusable_store;
mod written_length;
mod written_time;

pub use body_hash::{BadBodyHash, BodyHash};
pub use delivery::Delivery;
pub use each_snapshot::{ReadFacts, each_authority, each_known, each_snapshot};
pub use hop_facts::{HopFacts, TlsFacts, TlsVersion};
pub use kept_copy::{BodyDigest, KeptCopy};
pub use kept_head::{HEAD_BYTES_MAX, KeptHead};
pub use kept_headers::{HEADER_FIELDS_MAX, KeptHeaders};
#[cfg(feature = "sqlite")]
pub use kept_store::{KeptStore, KeptStoreError};
pub use lease::{Acquisition, FencingToken, Lease};
pub use memory::memory_store::MemoryStore;
pub use observation::Observation;
pub use packed_facts::PackedFacts;
#[cfg(feature = "postgres")]
pub use postgres::open_database_error::OpenDatabaseError;
#[cfg(feature = "postgres")]
pub use postgres::postgres_settings::{LeaseClock, PostgresRoute, PostgresSettings};
#[cfg(feature = "postgres")]
pub use postgres::postgres_store::PostgresStore;
pub use replay::{REPLAYED_SNAPSHOTS_MAX, knowledge_under, state_under};
pub use shortage::{Resource, Shortage};
pub use snapshot::{Snapshot, SnapshotId};
#[cfg(feature = "sqlite")]
pub use sqlite::damage::{Damage, DamageKind};
#[cfg(feature = "sqlite")]
pub use sqlite::schema::OpenError;
#[cfg(feature = "sqlite")]
pub use sqlite::sqlite_store::SqliteStore;
#[cfg(feature = "sqlite")]
pub use sqlite::stat_answer::StatAnswer;
#[cfg(feature = "sqlite")]
pub use sqlite::store_settings::{StoreSettings, SweepSchedule};
pub use stat::{Stat, Swept};
pub use store::{CallCost, Store, Wake};
pub use store_error::StoreError;
pub use stored_state::StoredState;
pub use time_text::{TimeTextError, time_of_text};
pub use timeline::{AxisMark, OutcomeClass, Share, Slot, Timeline, unit_text};
pub use transfer::export::{ExportError, ExportRange, Exported, export};
pub use transfer::history_import::HistoryImport;
pub use transfer::import::{ImportError, Imported, import};
pub use transfer::line_error::LineError;
pub use unusable_store::UnusableStore;
pub use written_length::{LengthError, length};
pub use written_time::{WrittenTimeError, past_time_written, time_written};
