//! `SqliteStore`: a store in a file, for several processes at once.

use core::ops::Range;
use core::time::Duration;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{
    Connection, Error, ErrorCode, OpenFlags, OptionalExtension as _, Transaction,
    TransactionBehavior,
};
use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::sqlite_failure::failure;
use crate::sqlite_leases::{self, Held};
use crate::sqlite_rows::{self, KNOWLEDGE_COLUMNS, SNAPSHOT_COLUMNS, seconds};
use crate::sqlite_schema::{Form, OpenError, form, migrate, open_failure};
use crate::standing::Standing;
use crate::stat::{Stat, Swept};
use crate::store::{Store, StoreError};

/// How long a process waits for another one that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// How often the change to a write-ahead log is tried while other processes try the same.
const LOG_ATTEMPTS_MAX: usize = 100;

/// No database is shorter than its shortest page.
const PAGE_OCTETS_MIN: u64 = 512;

/// Statements kept compiled on each connection; there are fewer.
const STATEMENTS_MAX: usize = 32;

/// A store in one `SQLite` file, which several processes may use at once on one machine.
///
/// The file has a write-ahead log, so that reading waits for nobody; writing waits up to five
/// seconds for others who write. A put is answered once the log is on the disk (`synchronous=FULL`);
/// a lease, once it outlives `kill -9` (`NORMAL`). Times after 2⁶³ − 1 seconds are kept as that
/// second. A file that is no store, or a damaged one, is an error and is left as it is.
///
/// The file belongs on a local disk: processes share memory through it, which network disks do not
/// do.
pub struct SqliteStore {
    writer: Mutex<Connection>,
    reader: Mutex<Connection>,
}

impl SqliteStore {
    /// Opens a store, and makes it where there is no file or an empty one.
    ///
    /// # Errors
    ///
    /// Where the file is no store, a newer or a damaged one, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        // An absolute path has no second meaning, as `:memory:` would.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let opened = Self::opened(&path);
        opened.map_err(|error| error.unwrap_or_failure(path))
    }

    fn opened(path: &Path) -> Result<Self, Refusal> {
        look(path)?;
        let files = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut writer = connection(path, files | OpenFlags::SQLITE_OPEN_CREATE)?;
        Refusal::unless_version(migrate(&mut writer)?)?;
        keep_log(&mut writer)?;
        writer.pragma_update(None, "foreign_keys", "ON")?;
        let reader = connection(path, files)?;
        reader.pragma_update(None, "query_only", "ON")?;
        Ok(Self {
            writer: Mutex::new(writer),
            reader: Mutex::new(reader),
        })
    }

    /// Reads the whole file and says what is wrong with it. It takes as long as reading does.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] where something is wrong; where the store fails.
    pub fn check(&self) -> Result<(), StoreError> {
        let reader = lock(&self.reader);
        let found: String = reader
            .query_row("PRAGMA quick_check(1)", (), |row| row.get(0))
            .map_err(failure)?;
        if found == "ok" {
            return Ok(());
        }
        Err(StoreError::Damaged(found))
    }

    /// Does all of `write`, or nothing of it.
    fn write<T>(
        &self,
        lasting: Lasting,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut writer = lock(&self.writer);
        let synchronous = lasting.synchronous();
        (writer.pragma_update(None, "synchronous", synchronous)).map_err(failure)?;
        // What will write says so at once: who begins by reading may find his view outdated when
        // he comes to write, and then no waiting helps.
        let transaction = writer
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failure)?;
        let written = write(&transaction)?;
        transaction.commit().map_err(failure)?;
        Ok(written)
    }

    fn standing(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<Standing>, StoreError> {
        let reader = lock(&self.reader);
        let text = format!(
            "SELECT {SNAPSHOT_COLUMNS}, {KNOWLEDGE_COLUMNS} FROM snapshot s \
             LEFT JOIN body b ON b.id = s.body LEFT JOIN body c ON c.id = s.copy_body \
             WHERE s.authority = (SELECT id FROM authority WHERE name = ?1) AND s.ended_at <= ?2 \
             ORDER BY s.id DESC LIMIT 1"
        );
        let mut statement = reader.prepare_cached(&text).map_err(failure)?;
        let parameters = (authority.to_string(), seconds(at));
        let read = |row: &rusqlite::Row<'_>| sqlite_rows::standing(row, authority);
        let standing = statement.query_row(parameters, read).optional();
        standing.map_err(failure)
    }
}

/// What a change outlives once it is answered.
#[derive(Clone, Copy)]
enum Lasting {
    /// The process. Of a lease that is enough: where the power fails, all its holders are gone too.
    Process,
    /// The power as well.
    Power,
}

impl Lasting {
    fn synchronous(self) -> &'static str {
        match self {
            Self::Process => "NORMAL",
            Self::Power => "FULL",
        }
    }
}

/// What keeps a file from being opened.
enum Refusal {
    Form(Form),
    Failure(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Failure(error)
    }
}

impl Refusal {
    fn unless_version(form: Form) -> Result<(), Self> {
        match form {
            Form::Version(_) => Ok(()),
            Form::Newer(_) | Form::Foreign => Err(Self::Form(form)),
        }
    }

    fn unwrap_or_failure(self, path: PathBuf) -> OpenError {
        match self {
            Self::Form(Form::Newer(found)) => OpenError::Newer { path, found },
            Self::Form(Form::Version(_) | Form::Foreign) => OpenError::Foreign(path),
            Self::Failure(error) => open_failure(path, error),
        }
    }
}

fn connection(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok(connection)
}

/// Looks what a file is through a connection that cannot write: one that could would tidy up
/// somebody else's log when it is closed.
fn look(path: &Path) -> Result<(), Refusal> {
    // `SQLite` takes a file of one octet for an empty one. Opening it to see would end the locks
    // that this process has on it already.
    let octets = std::fs::metadata(path).map_or(0, |file| file.len());
    if (1..PAGE_OCTETS_MIN).contains(&octets) {
        return Err(Refusal::Form(Form::Foreign));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let found =
        connection(path, flags).and_then(|mut connection| form(&*connection.transaction()?));
    match found {
        Ok(form) => Refusal::unless_version(form),
        // There is no file, or one whose last change must be undone first. Whoever may write sees.
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => Ok(()),
            _ => Err(error.into()),
        },
    }
}

/// Gives the file a write-ahead log. Where several processes do so at once, `SQLite` does not wait
/// for the others; so between the attempts a transaction waits until they have written.
fn keep_log(connection: &mut Connection) -> Result<(), Error> {
    for _ in 0..LOG_ATTEMPTS_MAX {
        let mode = connection.query_row("PRAGMA journal_mode = WAL", (), |row| {
            row.get::<_, String>(0)
        });
        match mode {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                let behavior = TransactionBehavior::Immediate;
                connection.transaction_with_behavior(behavior)?.commit()?;
            }
            mode => return mode.map(|_| ()),
        }
    }
    connection.query_row("PRAGMA journal_mode = WAL", (), |_| Ok(()))
}

/// A transaction that a panic interrupts is rolled back, so a connection that saw one is as good as
/// any.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store for SqliteStore {
    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError> {
        self.write(Lasting::Process, |it| {
            sqlite_leases::acquire(it, authority, holder, now, duration).map_err(failure)
        })
    }

    fn renew(
        &self,
        lease: &Lease,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Lease, StoreError> {
        let renewed = lease.renewed(now, duration);
        self.write(Lasting::Process, |it| {
            match sqlite_leases::renew(it, &renewed) {
                Ok(Held::Still) => Ok(renewed),
                Ok(Held::Lost) => Err(StoreError::lost(lease)),
                Err(error) => Err(failure(error)),
            }
        })
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        self.write(Lasting::Process, |it| {
            sqlite_leases::end(it, lease).map_err(failure)
        })?;
        Ok(())
    }

    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError> {
        self.write(Lasting::Power, |it| put(it, observation, lease))?
    }

    fn put_all(
        &self,
        puts: &[(&Observation, &Lease)],
    ) -> Result<Vec<Result<SnapshotId, StoreError>>, StoreError> {
        self.write(Lasting::Power, |it| {
            let each = puts.iter().map(|(seen, lease)| put(it, seen, lease));
            each.collect()
        })
    }

    fn latest(&self, authority: &Authority) -> Result<Option<Standing>, StoreError> {
        // No snapshot ends after the last second there is.
        self.standing(authority, Timestamp::from_unix_seconds(u64::MAX))
    }

    fn standing_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<Standing>, StoreError> {
        self.standing(authority, at)
    }

    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let reader = lock(&self.reader);
        let text = format!(
            "SELECT {SNAPSHOT_COLUMNS} FROM snapshot s LEFT JOIN body b ON b.id = s.body \
             WHERE s.authority = (SELECT id FROM authority WHERE name = ?1) \
             AND s.id > ?2 AND s.ended_at >= ?3 AND s.ended_at < ?4 ORDER BY s.id LIMIT ?5"
        );
        let mut statement = reader.prepare_cached(&text).map_err(failure)?;
        let parameters = (
            authority.to_string(),
            i64::try_from(after.0).unwrap_or(i64::MAX),
            seconds(during.start),
            seconds(during.end),
            i64::try_from(snapshots_max).unwrap_or(i64::MAX),
        );
        let read = |row: &rusqlite::Row<'_>| sqlite_rows::snapshot(row, authority);
        let snapshots = statement.query_map(parameters, read).map_err(failure)?;
        snapshots.collect::<Result<_, _>>().map_err(failure)
    }

    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        sqlite_rows::body(&lock(&self.reader), hash).map_err(failure)
    }

    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError> {
        self.write(Lasting::Power, |it| {
            sweep(it, keep_from, now).map_err(failure)
        })
    }

    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError> {
        // Every name comes after the empty one.
        let after = after.map(ToString::to_string).unwrap_or_default();
        let authorities_max = i64::try_from(authorities_max).unwrap_or(i64::MAX);
        sqlite_rows::authorities(&lock(&self.reader), &after, authorities_max).map_err(failure)
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        stat(&lock(&self.reader)).map_err(failure)
    }
}

/// Puts one snapshot. What is wrong with its lease is told apart from a failure of the store, which
/// concerns all that is put with it.
fn put(
    connection: &Connection,
    observation: &Observation,
    lease: &Lease,
) -> Result<Result<SnapshotId, StoreError>, StoreError> {
    if let Err(error) = StoreError::unless_for(lease, &observation.authority) {
        return Ok(Err(error));
    }
    match sqlite_leases::end(connection, lease).map_err(failure)? {
        Held::Still => sqlite_rows::insert(connection, observation)
            .map(Ok)
            .map_err(failure),
        Held::Lost => Ok(Err(StoreError::lost(lease))),
    }
}

fn sweep(connection: &Connection, keep_from: Timestamp, now: Timestamp) -> Result<Swept, Error> {
    let snapshots = connection.execute(
        "WITH in_force AS (SELECT authority, max(id) AS id FROM snapshot \
         WHERE ended_at <= ?1 GROUP BY authority) \
         DELETE FROM snapshot WHERE id IN (SELECT s.id FROM snapshot s \
         JOIN in_force f ON f.authority = s.authority WHERE s.id < f.id)",
        [seconds(keep_from)],
    )?;
    let bodies = connection.execute(
        "DELETE FROM body \
         WHERE NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.body = body.id) \
         AND NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.copy_body = body.id)",
        (),
    )?;
    let leases = connection.execute(
        // As `Lease::is_live` has it.
        "DELETE FROM lease WHERE NOT (?1 < until AND granted_at - ?1 <= until - granted_at)",
        [seconds(now)],
    )?;
    Ok(Swept {
        snapshots: snapshots as u64,
        bodies: bodies as u64,
        leases: leases as u64,
    })
}

fn stat(connection: &Connection) -> Result<Stat, Error> {
    connection.query_row(
        "SELECT (SELECT count(*) FROM authority), (SELECT count(*) FROM snapshot), \
         (SELECT count(*) FROM body), (SELECT coalesce(sum(length(octets)), 0) FROM body), \
         (SELECT count(*) FROM lease), \
         (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)",
        (),
        |row| {
            Ok(Stat {
                authorities: row.get(0)?,
                snapshots: row.get(1)?,
                bodies: row.get(2)?,
                body_octets: row.get(3)?,
                leases: row.get(4)?,
                octets: row.get(5)?,
            })
        },
    )
}

#[cfg(test)]
mod tests {
    use verger_access::{Attempt, Jitter, Knowledge, LastAttempt, Outcome, Profile, Reply};
    use verger_access::{GoodCopy, Hop};

    use super::*;
    use crate::kept_headers::KeptHeaders;

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
            attempt,
            knowledge,
            headers: KeptHeaders::default(),
            peer: None,
            fresh_until: now,
        }
    }

    #[test]
    fn a_full_disk_is_told_and_loses_nothing_acknowledged() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("verger-store-full-{}.db", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let store = SqliteStore::open(&path).unwrap();
        // A file that may not grow fails as a full disk does.
        let pages = lock(&store.writer).pragma_update(None, "max_page_count", 40);
        pages.unwrap();
        let authority = Authority::of("https://h.example/").unwrap();
        let now = Timestamp::from_unix_seconds(1_800_000_000);
        let put = |octets| {
            let answer = store.acquire(&authority, "test", now, Duration::from_secs(60));
            let Acquisition::Granted(lease) = answer.unwrap() else {
                panic!("the lease is held");
            };
            let put = store.put(&seen(&authority, octets), &lease);
            store.release(&lease).unwrap();
            put
        };
        let kept: Vec<_> = (1..=10).map(|number| put(number * 1000).unwrap()).collect();
        let refused = put(200_000).unwrap_err();
        assert!(matches!(refused, StoreError::DiskFull), "{refused}");
        store.check().unwrap();
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
