//! `SqliteStore`: a store in a file, for several processes at once.

use core::ops::Range;
use core::time::Duration;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{OptionalExtension as _, params};
use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::sqlite::check;
use crate::sqlite::damage::Damage;
use crate::sqlite::failure::failure;
use crate::sqlite::import;
use crate::sqlite::leases::{self, Held};
use crate::sqlite::opening::Refusal;
use crate::sqlite::reader::SqliteReader;
use crate::sqlite::rows::{self, KNOWLEDGE_COLUMNS, SNAPSHOT_COLUMNS, SNAPSHOT_TABLES, seconds};
use crate::sqlite::schema::OpenError;
use crate::sqlite::stat;
use crate::sqlite::store_settings::StoreSettings;
use crate::sqlite::sweep;
use crate::sqlite::writer::{Lasting, SqliteWriter};
use crate::stat::{Stat, Swept};
use crate::store::Store;
use crate::store_error::StoreError;
use crate::stored_state::StoredState;
use crate::transfer::history_import::HistoryImport;

/// A sweep looks at so many authorities, and takes away so many snapshots of one, before others who
/// write get their turn.
const STEP_AUTHORITIES: usize = 1000;
const STEP_SNAPSHOTS_MAX: usize = 10_000;

/// So many free pages go back to the system before others who write get their turn.
const STEP_PAGES: usize = 2000;

/// A store in one `SQLite` file, which several processes may use at once on one machine.
///
/// The file has a write-ahead log, so that reading waits for no writer; writing waits up to five
/// seconds for others who write. A put is answered once the log is on the disk (`synchronous=FULL`),
/// and those that threads want at the same time wait for the disk together; a lease is answered once
/// it outlives `kill -9` (`NORMAL`). Times after 2⁶³ − 1 seconds are kept as that
/// second. A file that is no store, or a damaged one, is an error and is left as it is. A new file
/// is readable to its owner alone (on Unix, mode 0600, with all that `SQLite` puts beside it); the
/// mode of one that exists is left alone.
///
/// A body whose octets are not those of its hash any more is lost: it is never served, and what was
/// known by it is to be fetched again. Putting the same body writes it anew.
///
/// The file belongs on a local disk: processes share memory through it, which network disks do not
/// do.
pub struct SqliteStore {
    /// `None` where it is only read.
    writer: Option<SqliteWriter>,
    reader: SqliteReader,
}

impl SqliteStore {
    /// Opens a store that keeps everything, and makes it where there is no file or an empty one.
    ///
    /// # Errors
    ///
    /// Where the file is no store, a newer or a damaged one, or cannot be opened or written to.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_with(path, StoreSettings::default())
    }

    /// Opens a store that keeps what `settings` say, and makes it where there is no file or an
    /// empty one. They hold for what is put through this store; the file does not have them.
    ///
    /// # Errors
    ///
    /// As [`SqliteStore::open`].
    pub fn open_with(path: &Path, settings: StoreSettings) -> Result<Self, OpenError> {
        // An absolute path has no second meaning, as `:memory:` would.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let open = || -> Result<Self, Refusal> {
            Ok(Self {
                writer: Some(SqliteWriter::open(&path, settings)?),
                reader: SqliteReader::beside_writer(&path)?,
            })
        };
        open().map_err(|error| error.unwrap_or_failure(path.clone()))
    }

    /// Opens a store for reading alone; neither the file nor its directory need be writable, and
    /// neither is written to. What other processes put is seen. A call that writes fails with
    /// [`StoreError::ReadOnly`].
    ///
    /// # Errors
    ///
    /// Where there is no file, or it is no store, a newer or a damaged one; and where its last
    /// writer was killed and left a log that only a process that may write to the directory can
    /// read.
    pub fn open_read_only(path: &Path) -> Result<Self, OpenError> {
        let path = real_path(path);
        let reader = SqliteReader::alone(&path);
        Ok(Self {
            writer: None,
            reader: reader.map_err(|error| error.unwrap_or_failure(path))?,
        })
    }

    /// Whether the store was opened for reading alone.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.writer.is_none()
    }

    /// Reads the whole file and says what is wrong with it, the first hundred findings. It takes as
    /// long as reading does, and others may write meanwhile.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    pub fn check(&self) -> Result<Vec<Damage>, StoreError> {
        check::check(&self.reader)
    }

    /// Keeps the quotas of `settings` for every authority, also for those that nothing is put of,
    /// and says what was given up for it.
    ///
    /// # Errors
    ///
    /// Where the store fails; what was given up before stays so.
    pub fn enforce(&self, settings: &StoreSettings) -> Result<Swept, StoreError> {
        let writer = self.writer()?;
        let mut swept = Swept::default();
        let mut after = Some(0);
        while let Some(authority) = after {
            let step = writer.write(Lasting::Process, |it| {
                sweep::enforce_step(it, settings, authority, STEP_AUTHORITIES).map_err(failure)
            })?;
            swept.snapshots += step.swept.snapshots;
            swept.bodies += step.swept.bodies;
            after = step.swept_to;
        }
        Ok(swept)
    }

    /// Makes the file as small as it can be. A file that an older version made is written anew once,
    /// which needs as much room beside it and keeps others who write waiting.
    ///
    /// # Errors
    ///
    /// Where the store fails, or others keep it busy.
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
        while writer.write(Lasting::Process, free)? > 0 {}
        // The file has its new length once the log is in it.
        writer.alone(|connection| {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))
        })
    }

    fn writer(&self) -> Result<&SqliteWriter, StoreError> {
        self.writer.as_ref().ok_or(StoreError::ReadOnly)
    }

    fn standing(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError> {
        let text = format!(
            "SELECT {SNAPSHOT_COLUMNS}, {KNOWLEDGE_COLUMNS} FROM {SNAPSHOT_TABLES} \
             WHERE s.authority = (SELECT id FROM authority WHERE name = ?1) AND s.ended_at <= ?2 \
             ORDER BY s.id DESC LIMIT 1"
        );
        self.reader.read(|reader| {
            let mut statement = reader.prepare_cached(&text)?;
            let parameters = (authority.to_string(), seconds(at));
            let read = |row: &rusqlite::Row<'_>| rows::standing(row, authority);
            statement.query_row(parameters, read).optional()
        })
    }
}

/// The path of the file itself: its log lies beside it, not beside a link to it.
#[cfg(unix)]
fn real_path(path: &Path) -> PathBuf {
    let real = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    real.unwrap_or_else(|_| path.to_owned())
}

/// The path of the file.
#[cfg(not(unix))]
fn real_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl Store for SqliteStore {
    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError> {
        self.writer()?.write(Lasting::Process, |it| {
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
        self.writer()?
            .write(Lasting::Process, |it| match leases::renew(it, &renewed) {
                Ok(Held::Still) => Ok(renewed),
                Ok(Held::Lost) => Err(StoreError::lost(lease)),
                Err(error) => Err(failure(error)),
            })
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        self.writer()?.write(Lasting::Process, |it| {
            leases::end(it, lease).map_err(failure)
        })?;
        Ok(())
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
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let writer = self.writer()?;
        writer.write_many(|it| import::append_histories(writer, it, histories, now))
    }

    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError> {
        // No snapshot ends after the last second there is.
        self.standing(authority, Timestamp::from_unix_seconds(u64::MAX))
    }

    fn standing_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError> {
        self.standing(authority, at)
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

    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.reader.read(|it| rows::body(it, hash))
    }

    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError> {
        let writer = self.writer()?;
        let mut swept = Swept::default();
        let (mut after, mut authorities_max) = (Some(0), STEP_AUTHORITIES);
        let mut failed = None;
        while let Some(authority) = after {
            let most = (authorities_max, STEP_SNAPSHOTS_MAX);
            let step = writer.write(Lasting::Process, |it| {
                sweep::step(it, authority, most, keep_from).map_err(failure)
            });
            match step {
                Ok(step) => {
                    swept.snapshots += step.swept.snapshots;
                    swept.bodies += step.swept.bodies;
                    after = step.swept_to;
                }
                Err(error @ (StoreError::Busy | StoreError::DiskFull)) => return Err(error),
                // One by one from here on: which of them is it?
                Err(_) if authorities_max > 1 => authorities_max = 1,
                Err(error) => {
                    failed.get_or_insert(error);
                    let next = |it: &rusqlite::Connection| sweep::next_after(it, authority);
                    after = writer.alone(next)?;
                    authorities_max = STEP_AUTHORITIES;
                }
            }
        }
        swept.leases = writer.write(Lasting::Power, |it| {
            sweep::expired_leases(it, now, usize::MAX).map_err(failure)
        })?;
        if swept.snapshots > 0 {
            let free =
                |it: &rusqlite::Transaction<'_>| sweep::free_pages(it, STEP_PAGES).map_err(failure);
            while writer.write(Lasting::Process, free)? > 0 {}
        }
        failed.map_or(Ok(swept), Err)
    }

    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError> {
        // Every name comes after the empty one.
        let after = after.map(ToString::to_string).unwrap_or_default();
        let authorities_max = i64::try_from(authorities_max).unwrap_or(i64::MAX);
        self.reader
            .read(|it| rows::authorities(it, &after, authorities_max))
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        self.reader.read(stat::stat)
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

    /// A store in a file of its own.
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

    /// How many changes the log has: a frame that ends one says how long the database is then, in
    /// the second four octets of its head of 24; others have zero there.
    fn commits(path: &Path) -> usize {
        let log = std::fs::read(format!("{}-wal", path.display())).unwrap();
        let word = |octets: &[u8]| u32::from_be_bytes(octets.try_into().unwrap());
        let frame = 24 + usize::try_from(word(&log[8..12])).unwrap();
        let frames = log[32..].chunks_exact(frame);
        frames.filter(|frame| word(&frame[4..8]) != 0).count()
    }

    #[test]
    fn puts_that_come_together_are_one_change_of_the_file() {
        let (store, path) = new_store("together");
        let seen_of = |number: usize| {
            let authority = Authority::of(&format!("https://h{number}.example/")).unwrap();
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
    fn one_that_does_not_fit_keeps_no_other_out() {
        let (store, path) = new_store("alone");
        let pages = writer(&store)
            .lock()
            .pragma_update(None, "max_page_count", 60);
        pages.unwrap();
        let put_of = |octets| {
            let authority = Authority::of(&format!("https://h{octets}.example/")).unwrap();
            (seen(&authority, octets), lease(&store, &authority))
        };
        let puts: Vec<Put> = [10, 300_000, 30].map(put_of).into();
        let answers = writer(&store).put_group(writer(&store).lock(), &puts);
        assert!(answers[0].is_ok() && answers[2].is_ok(), "{answers:?}");
        assert!(matches!(answers[1], Err(StoreError::DiskFull)));
        assert_eq!(store.stat().unwrap().snapshots, 2);
        drop(store);
        std::fs::remove_file(&path).unwrap();
    }

    fn seen(authority: &Authority, octets: usize) -> Observation {
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
                body: vec![b'#'; octets].into(),
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
        }
    }

    #[test]
    fn a_full_disk_is_told_and_loses_nothing_acknowledged() {
        let (store, path) = new_store("full");
        // A file that may not grow fails as a full disk does.
        let pages = writer(&store)
            .lock()
            .pragma_update(None, "max_page_count", 40);
        pages.unwrap();
        let authority = Authority::of("https://h.example/").unwrap();
        let now = Timestamp::from_unix_seconds(1_800_000_000);
        let put = |octets| {
            let lease = lease(&store, &authority);
            let put = store.put(&seen(&authority, octets), &lease);
            store.release(&lease).unwrap();
            put
        };
        let kept: Vec<_> = (1..=10).map(|number| put(number * 1000).unwrap()).collect();
        let refused = put(200_000).unwrap_err();
        assert!(matches!(refused, StoreError::DiskFull), "{refused}");
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
