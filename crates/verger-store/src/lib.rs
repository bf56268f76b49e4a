//! The memory of a crawler: the history of every robots.txt that it fetched.
//!
//! Each attempt to fetch a robots.txt becomes a *snapshot*: when it ended, its outcome, every hop, and the knowledge
//! after it. Snapshots are only appended, so a store answers two questions: which rules are in force now, and which
//! were in force at any earlier time. Bodies are stored once, by their SHA-256, however many sites serve them.
//!
//! Several processes can share a store. Before a process fetches a site, it acquires a *lease*. The others wait and
//! then read its result, so one fetch serves all of them. A put requires the newest lease, so a slow process cannot
//! overwrite newer knowledge.
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
//! // Nothing is known yet, so the first caller gets the lease. It fetches, and puts its result.
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
//! It fetches nothing and decides nothing: `verger-access` defines what a snapshot means. It reads no clock, no
//! environment and no randomness. Times and the names of holders are arguments. It stores bodies, not compiled
//! policies, because parsing a body costs less than reading it from a disk.
//!
//! # Where to start
//!
//! [`Store`] has the methods that a fetch needs, and the guarantees. [`History`] is the store as a whole: its sites, sweeps and
//! imports. [`Deliveries`] remembers who was told what. [`MemoryStore`], `SqliteStore` (feature `sqlite`, on by default)
//! and `PostgresStore` (feature `postgres`) implement all three. `KeptStore` opens the file or database that a user names.
//! You put [`Observation`]s, and read [`Snapshot`]s and [`StoredState`]s. [`in_force`] iterates over what a profile
//! concluded from a history, [`Timeline`] condenses it, and [`export`] and [`import`] move it.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod archive;
mod body_hash;
mod deliveries;
mod delivery;
mod each_snapshot;
mod history;
mod history_import;
mod hop_facts;
mod in_force;
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
mod turn;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod turn_numbers;
mod unpoisoned_mutex;
mod unusable_store;
mod written_length;
mod written_time;

pub use archive::Archive;
pub use body_hash::{BadBodyHash, BodyHash};
pub use deliveries::Deliveries;
pub use delivery::Delivery;

pub use each_snapshot::{
    Before, ReadFacts, each_authority, each_change, each_known, each_snapshot,
};
pub use history::History;
pub use history_import::HistoryImport;
pub use hop_facts::{HopFacts, TlsFacts, TlsVersion};
pub use in_force::{Basis, InForce, in_force, in_force_at};
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
pub use time_text::{TimeTextError, micros_of_calendar, time_of_text};
pub use timeline::{AxisMark, OutcomeClass, Share, Slot, Timeline, unit_text};
pub use transfer::export::{ExportError, ExportRange, Exported, export};
pub use transfer::import::{ImportError, Imported, import};
pub use transfer::line_error::LineError;
pub use turn::{Turn, TurnRequest};
#[doc(hidden)]
pub use unpoisoned_mutex::UnpoisonedMutex;
pub use unusable_store::UnusableStore;
pub use written_length::{LengthError, length};
pub use written_time::{WrittenTimeError, past_time_written, time_written};
