//! `SqliteStore`: a store in a file, for several processes.

use core::fmt;
use core::ops::{Range, RangeInclusive};
use core::time::Duration;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{OptionalExtension as _, params};
use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::deliveries::Deliveries;
use crate::delivery::Delivery;
use crate::history::History;
use crate::history_import::HistoryImport;
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::packed_facts::PackedFacts;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::sqlite::check;
use crate::sqlite::damage::Damage;
use crate::sqlite::deliveries;
use crate::sqlite::failure::failure;
use crate::sqlite::import;
use crate::sqlite::leases::{self, LeaseCheck};
use crate::sqlite::opening::OpenFailure;
use crate::sqlite::reader::SqliteReader;
use crate::sqlite::rows::{self, KNOWLEDGE_COLUMNS, SNAPSHOT_COLUMNS, SNAPSHOT_TABLES, seconds};
use crate::sqlite::schema::OpenError;
use crate::sqlite::stat;
use crate::sqlite::store_settings::StoreSettings;
use crate::sqlite::sweep;
use crate::sqlite::sweep_preview;
use crate::sqlite::turns;
use crate::sqlite::writer::{Durability, SqliteWriter};
use crate::stat::{Stat, Swept};
use crate::store::Store;
use crate::store_error::StoreError;
use crate::stored_state::StoredState;
use crate::turn::{Turn, TurnRequest};

/// Maximum number of authorities that a sweep reads in one transaction, and of snapshots that it deletes. Between
/// transactions other threads and processes can write.
const STEP_AUTHORITIES: usize = 1000;
const STEP_SNAPSHOTS_MAX: usize = 10_000;
/// Maximum number of deliveries that one step deletes, because each may have a body.
const STEP_DELIVERIES_MAX: usize = 1000;

/// Maximum number of free pages that one transaction returns to the file system.
const STEP_PAGES: usize = 2000;

/// A store in one `SQLite` file, which several processes on one machine may share.
///
/// - *Concurrency.* The file has a write-ahead log, so readers never wait for a writer. A writer waits up to five
///   seconds for other writers.
/// - *Durability.* A put returns once the log is on the disk (`synchronous=FULL`). Concurrent puts of several threads
///   share one sync. A granted lease survives `kill -9` (`NORMAL`).
/// - *Damage.* A damaged file, or a file of another program, is an error and stays unchanged. A body that no longer
///   matches its SHA-256 is never returned. If it was the last good copy, the authority has to be fetched again.
///   Putting the same body again repairs it.
/// - *Permissions.* Only its owner can read a new file (on Unix, mode 0600, for all files of `SQLite`). The mode of an
///   existing file stays.
/// - *Limits.* Times after 2⁶³ − 1 seconds are stored as that second.
///
/// Keep the file on a local disk. Processes share memory through it, which network file systems do not support.
pub struct SqliteStore {
    /// `None` if the store was opened for reading only.
    writer: Option<SqliteWriter>,
    reader: SqliteReader,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("SqliteStore");
        debug.field("path", &self.reader.path());
        debug.field("is_read_only", &self.is_read_only());
        debug.finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens a store that keeps everything. Creates it if the file is missing or empty.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not a store, is newer or damaged, or cannot be opened or written to.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_with(path, StoreSettings::default())
    }

    /// Opens a store with these settings. Creates it if the file is missing or empty. The settings apply to puts
    /// through this value, and are not stored in the file.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`SqliteStore::open`].
    pub fn open_with(path: &Path, settings: StoreSettings) -> Result<Self, OpenError> {
        // `SQLite` gives a special meaning to names such as `:memory:`, but not to absolute paths.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let open = || -> Result<Self, OpenFailure> {
            Ok(Self {
                writer: Some(SqliteWriter::open(&path, settings)?),
                reader: SqliteReader::beside_writer(&path)?,
            })
        };
        open().map_err(|error| error.into_open_error(path.clone()))
    }

    /// Opens a store for reading only. This never writes, so neither the file nor its directory need be writable. Reads
    /// see the puts of other processes. Calls that write fail with [`StoreError::ReadOnly`].
    ///
    /// # Errors
    ///
    /// Returns an error if the file is missing, damaged, newer or not a store, or if its last writer was killed and
    /// left a log that requires write permission for the directory.
    pub fn open_read_only(path: &Path) -> Result<Self, OpenError> {
        let path = real_path(path);
        let reader = SqliteReader::alone(&path);
        Ok(Self {
            writer: None,
            reader: reader.map_err(|error| error.into_open_error(path))?,
        })
    }

    /// Closes the store and removes its file at `path`, with the other files of `SQLite`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be removed.
    pub fn remove(self, path: &Path) -> io::Result<()> {
        drop(self);
        for suffix in ["-wal", "-shm"] {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            // Usually it does not exist.
            let _ = fs::remove_file(name);
        }
        fs::remove_file(path)
    }

    /// Returns whether the store was opened for reading only.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.writer.is_none()
    }

    /// Reads the whole file and returns at most a hundred defects. Other threads and processes may write meanwhile.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    pub fn check(&self) -> Result<Vec<Damage>, StoreError> {
        check::check(&self.reader)
    }

    /// Enforces the quotas of `settings` for every authority, and returns the numbers of deleted rows. A put enforces
    /// the quotas only for its own authority.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails. Earlier deletions are permanent.
    pub fn enforce(&self, settings: &StoreSettings) -> Result<Swept, StoreError> {
        let writer = self.writer()?;
        let mut swept = Swept::default();
        let mut after = Some(0);
        while let Some(authority) = after {
            let step = writer.write(Durability::ProcessCrash, |it| {
                sweep::enforce_step(it, settings, authority, STEP_AUTHORITIES).map_err(failure)
            })?;
            swept.snapshots += step.swept.snapshots;
            swept.bodies += step.swept.bodies;
            after = step.swept_to;
        }
        Ok(swept)
    }

    /// Returns what [`History::sweep`] with `keep_from`, if given, and then [`SqliteStore::enforce`] would delete now.
    /// Deletes nothing. The file need not be writable.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails, or the file cannot be opened a second time.
    pub fn preview_sweep(
        &self,
        keep_from: Option<Timestamp>,
        quota: &StoreSettings,
        now: Timestamp,
    ) -> Result<Swept, StoreError> {
        // Use a separate connection, so others can read meanwhile.
        let reader = SqliteReader::alone(self.reader.path());
        let reader = reader.map_err(OpenFailure::into_store_error)?;
        reader.read(|it| sweep_preview::preview(it, keep_from, quota, now))
    }

    /// Makes the file as small as possible. A file from an older version is rewritten once, which needs as much free
    /// disk space again, while other writers wait.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails, or other processes keep it busy.
    pub fn compact(&self) -> Result<(), StoreError> {
        let writer = self.writer()?;
        writer.alone(|connection| {
            let shrinks: i64 = connection.query_row("PRAGMA auto_vacuum", (), |row| row.get(0))?;
            if shrinks == 0 {
                connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
                connection.execute_batch("VACUUM")?;
            }
            Ok(())
        })?;
        let free =
            |it: &rusqlite::Transaction<'_>| sweep::free_pages(it, STEP_PAGES).map_err(failure);
        while writer.write(Durability::ProcessCrash, free)? > 0 {}
        // The checkpoint shortens the file.
        writer.alone(|connection| {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))
        })
    }

    fn writer(&self) -> Result<&SqliteWriter, StoreError> {
        self.writer.as_ref().ok_or(StoreError::ReadOnly)
    }
}

/// Returns the path of the file itself. Its log is next to the file, not next to a link to it.
#[cfg(unix)]
fn real_path(path: &Path) -> PathBuf {
    let real = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    real.unwrap_or_else(|_| path.to_owned())
}

#[cfg(not(unix))]
fn real_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl SqliteStore {
    /// Returns the first state of an authority in an order, among the states that had ended at a time.
    fn state(
        &self,
        authority: &Authority,
        order: &str,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError> {
        let text = format!(
            "SELECT {SNAPSHOT_COLUMNS}, {KNOWLEDGE_COLUMNS} FROM {SNAPSHOT_TABLES} WHERE s.id = \
             (SELECT id FROM snapshot WHERE authority = (SELECT id FROM authority WHERE name = ?1) \
             AND ended_at <= ?2 ORDER BY {order} LIMIT 1)"
        );
        self.reader.read(|reader| {
            let mut statement = reader.prepare_cached(&text)?;
            let parameters = (authority.to_string(), seconds(at));
            let read = |row: &rusqlite::Row<'_>| rows::stored_state(row, authority);
            statement.query_row(parameters, read).optional()
        })
    }
}

impl Store for SqliteStore {
    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError> {
        self.writer()?.write(Durability::ProcessCrash, |it| {
            leases::acquire(it, authority, holder, now, duration).map_err(failure)
        })
    }

    fn renew(
        &self,
        lease: &Lease,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Lease, StoreError> {
        let renewed = lease.renewed(now, duration);
        self.writer()?.write(Durability::ProcessCrash, |it| {
            match leases::renew(it, &renewed) {
                Ok(LeaseCheck::Valid) => Ok(renewed),
                Ok(LeaseCheck::Lost) => Err(StoreError::lost(lease)),
                Err(error) => Err(failure(error)),
            }
        })
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        self.writer()?.write(Durability::ProcessCrash, |it| {
            leases::end(it, lease).map_err(failure)
        })?;
        Ok(())
    }

    fn take_turn(&self, request: &TurnRequest) -> Result<Turn, StoreError> {
        self.writer()?.write(Durability::ProcessCrash, |it| {
            turns::take(it, request).map_err(failure)
        })
    }

    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError> {
        self.writer()?.put(observation, lease)
    }

    fn put_all(
        &self,
        puts: &[(&Observation, &Lease)],
    ) -> Result<Vec<Result<SnapshotId, StoreError>>, StoreError> {
        self.writer()?.put_all(puts)
    }

    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError> {
        self.state(authority, "id DESC", Timestamp::from_unix_seconds(u64::MAX))
    }

    fn state_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError> {
        self.state(authority, "ended_at DESC, id DESC", at)
    }

    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let condition = "s.id > ?2 AND s.ended_at >= ?4 AND s.ended_at < ?5 ORDER BY s.id";
        let parameters = params![
            authority.to_string(),
            i64::try_from(after.0).unwrap_or(i64::MAX),
            i64::try_from(snapshots_max).unwrap_or(i64::MAX),
            seconds(during.start),
            seconds(during.end),
        ];
        self.reader
            .read(|it| rows::snapshots(it, authority, condition, parameters))
    }

    fn snapshots_before(
        &self,
        authority: &Authority,
        before: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let parameters = params![
            authority.to_string(),
            i64::try_from(before.0).unwrap_or(i64::MAX),
            i64::try_from(snapshots_max).unwrap_or(i64::MAX),
        ];
        let condition = "s.id < ?2 ORDER BY s.id DESC";
        self.reader
            .read(|it| rows::snapshots(it, authority, condition, parameters))
    }

    fn keeps_facts(&self) -> bool {
        true
    }

    fn facts(
        &self,
        authority: &Authority,
        ids: RangeInclusive<SnapshotId>,
    ) -> Result<Vec<(SnapshotId, PackedFacts)>, StoreError> {
        self.reader.read(|it| rows::facts(it, authority, &ids))
    }

    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.reader.read(|it| rows::body(it, hash))
    }
}

impl History for SqliteStore {
    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError> {
        self.writer()?.append(observations, lease)
    }

    fn append_histories(
        &self,
        histories: &mut [HistoryImport],
        now: &dyn Fn() -> Timestamp,
    ) -> Result<(), StoreError> {
        let writer = self.writer()?;
        writer.write_many(|it| import::append_histories(writer, it, histories, now()))
    }

    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError> {
        let writer = self.writer()?;
        let mut swept = Swept::default();
        let (mut after, mut authorities_max) = (Some(0), STEP_AUTHORITIES);
        let mut failed = None;
        while let Some(authority) = after {
            let most = (authorities_max, STEP_SNAPSHOTS_MAX);
            let step = writer.write(Durability::ProcessCrash, |it| {
                sweep::step(it, authority, most, keep_from).map_err(failure)
            });
            match step {
                Ok(step) => {
                    swept.snapshots += step.swept.snapshots;
                    swept.bodies += step.swept.bodies;
                    after = step.swept_to;
                }
                Err(error @ (StoreError::Busy | StoreError::Shortage(_))) => return Err(error),
                // Read one by one, to find the authority that fails.
                Err(_) if authorities_max > 1 => authorities_max = 1,
                Err(error) => {
                    failed.get_or_insert(error);
                    let next = |it: &rusqlite::Connection| sweep::next_after(it, authority);
                    after = writer.alone(next)?;
                    authorities_max = STEP_AUTHORITIES;
                }
            }
        }
        swept.leases = writer.write(Durability::PowerLoss, |it| {
            turns::sweep(it, now).map_err(failure)?;
            sweep::expired_leases(it, now, usize::MAX).map_err(failure)
        })?;
        loop {
            let gone = writer.write(Durability::ProcessCrash, |it| {
                deliveries::sweep(it, keep_from, STEP_DELIVERIES_MAX).map_err(failure)
            })?;
            swept.deliveries += gone as u64;
            if gone < STEP_DELIVERIES_MAX {
                break;
            }
        }
        if swept.snapshots + swept.deliveries > 0 {
            let free =
                |it: &rusqlite::Transaction<'_>| sweep::free_pages(it, STEP_PAGES).map_err(failure);
            while writer.write(Durability::ProcessCrash, free)? > 0 {}
        }
        failed.map_or(Ok(swept), Err)
    }

    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError> {
        // Every name comes after the empty string.
        let after = after.map(ToString::to_string).unwrap_or_default();
        self.reader
            .read(|it| rows::authorities(it, &after, authorities_max))
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        self.reader.read(stat::stat)
    }
}

impl Deliveries for SqliteStore {
    fn delivery(
        &self,
        authority: &Authority,
        receiver: &str,
    ) -> Result<Option<Delivery>, StoreError> {
        self.reader
            .read(|it| deliveries::read(it, authority, receiver))
    }

    fn put_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<(), StoreError> {
        self.writer()?.write(Durability::PowerLoss, |it| {
            deliveries::put(it, authority, receiver, (delivery, false)).map_err(failure)
        })
    }

    fn put_first_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<Delivery, StoreError> {
        self.writer()?.write(Durability::PowerLoss, |it| {
            deliveries::put(it, authority, receiver, (delivery, true)).map_err(failure)
        })?;
        let stored = self.delivery(authority, receiver)?;
        Ok(stored.unwrap_or_else(|| delivery.clone()))
    }
}

#[cfg(test)]
mod tests {
    use verger_access::{Attempt, Jitter, Knowledge, LastAttempt, Outcome, Profile, Reply};
    use verger_access::{GoodCopy, Hop};

    use super::*;
    use crate::kept_headers::KeptHeaders;

    type Put = (Observation, Lease);

    fn writer(store: &SqliteStore) -> &SqliteWriter {
        store.writer.as_ref().unwrap()
    }

    fn new_store(name: &str) -> (SqliteStore, std::path::PathBuf) {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("verger-store-{name}-{}.db", std::process::id()));
        let _ = std::fs::remove_file(&path);
        (SqliteStore::open(&path).unwrap(), path)
    }

    fn lease(store: &SqliteStore, authority: &Authority) -> Lease {
        let now = Timestamp::from_unix_seconds(1_800_000_000);
        let answer = store.acquire(authority, "test", now, Duration::from_secs(60));
        let Acquisition::Granted(lease) = answer.unwrap() else {
            panic!("the lease is held");
        };
        lease
    }

    /// How many transactions the log has. A frame's header has 24 bytes. The second four are the
    /// length of the database in the last frame of a transaction, and zero in all others.
    fn commits(path: &Path) -> usize {
        let log = std::fs::read(format!("{}-wal", path.display())).unwrap();
        let word = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
        let frame = 24 + usize::try_from(word(&log[8..12])).unwrap();
        let frames = log[32..].chunks_exact(frame);
        frames.filter(|frame| word(&frame[4..8]) != 0).count()
    }

    #[test]
    fn puts_at_the_same_time_are_one_transaction() {
        let (store, path) = new_store("together");
        let seen_of = |number: usize| {
            let authority = Authority::from_url(&format!("https://h{number}.example/")).unwrap();
            let lease = lease(&store, &authority);
            (seen(&authority, 100 + number), lease)
        };
        let puts: Vec<_> = (0..40).map(seen_of).collect();
        let before = commits(&path);
        std::thread::scope(|scope| {
            let held = writer(&store).lock();
            for (observation, lease) in &puts {
                let store = &store;
                scope.spawn(move || store.put(observation, lease).unwrap());
            }
            while writer(&store).waiting() < puts.len() {
                std::thread::yield_now();
            }
            drop(held);
        });
        assert_eq!(commits(&path), before + 1);
        for (observation, _) in &puts {
            let latest = store.latest(&observation.authority).unwrap().unwrap();
            assert_eq!(latest.knowledge, observation.knowledge);
        }
        drop(store);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_put_that_does_not_fit_does_not_fail_the_others() {
        let (store, path) = new_store("alone");
        let pages = writer(&store)
            .lock()
            .pragma_update(None, "max_page_count", 60);
        pages.unwrap();
        let put_of = |bytes| {
            let authority = Authority::from_url(&format!("https://h{bytes}.example/")).unwrap();
            (seen(&authority, bytes), lease(&store, &authority))
        };
        let puts: Vec<Put> = [10, 300_000, 30].map(put_of).into();
        let answers = writer(&store).put_group(writer(&store).lock(), &puts);
        assert!(answers[0].is_ok() && answers[2].is_ok(), "{answers:?}");
        assert!(matches!(answers[1], Err(StoreError::Shortage(_))));
        assert_eq!(store.stat().unwrap().snapshots, 2);
        drop(store);
        std::fs::remove_file(&path).unwrap();
    }

    fn seen(authority: &Authority, bytes: usize) -> Observation {
        let now = Timestamp::from_unix_seconds(1_800_000_000);
        let url = authority.robots_url().clone();
        let reply = Reply::Http(200);
        let attempt = Attempt {
            last: LastAttempt {
                at: now,
                outcome: Outcome::Successful(reply),
                stated_lifetime: None,
                retry_after: None,
            },
            hops: vec![Hop {
                url: url.clone(),
                reply: Some(reply),
            }],
            copy: Some(GoodCopy {
                body: vec![b'#'; bytes].into(),
                url,
                entity_tag: None,
                last_modified: None,
                validated_at: now,
                stated_lifetime: None,
            }),
            warnings: Vec::new(),
        };
        let mut knowledge = Knowledge::default();
        knowledge.record(&attempt, &Profile::RFC9309, Jitter::NONE);
        Observation {
            authority: authority.clone(),
            profile: Profile::RFC9309.name,
            attempt,
            knowledge,
            headers: KeptHeaders::default(),
            peer: None,
            fresh_until: now,
            facts: PackedFacts::default(),
        }
    }

    #[test]
    fn a_full_disk_is_an_error_and_loses_nothing_acknowledged() {
        let (store, path) = new_store("full");
        // A file that may not grow fails as a full disk does.
        let pages = writer(&store)
            .lock()
            .pragma_update(None, "max_page_count", 40);
        pages.unwrap();
        let authority = Authority::from_url("https://h.example/").unwrap();
        let now = Timestamp::from_unix_seconds(1_800_000_000);
        let put = |bytes| {
            let lease = lease(&store, &authority);
            let put = store.put(&seen(&authority, bytes), &lease);
            store.release(&lease).unwrap();
            put
        };
        let kept: Vec<_> = (1..=10).map(|number| put(number * 1000).unwrap()).collect();
        let refused = put(200_000).unwrap_err();
        let expected = "the disk is full: make room and try again; what was acknowledged is kept";
        assert_eq!(refused.to_string(), expected);
        assert_eq!(store.check().unwrap(), []);
        let latest = store.latest(&authority).unwrap().unwrap();
        assert_eq!(Some(&latest.snapshot.id), kept.last());
        assert_eq!(store.stat().unwrap().snapshots, 10);
        let swept = store.sweep(now, now).unwrap();
        assert_eq!((swept.snapshots, swept.bodies), (9, 9));
        put(30_000).unwrap();
        drop(store);
        std::fs::remove_file(&path).unwrap();
    }
}
