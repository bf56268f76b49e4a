//! `SqliteStore`: a store in a file, for several processes at once.

use core::ops::Range;
use core::time::Duration;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{
    Connection, Error, OpenFlags, OptionalExtension as _, ToSql, Transaction, TransactionBehavior,
    params,
};
use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::group_commit::GroupCommit;
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::sqlite_failure::failure;
use crate::sqlite_leases::{self, Held};
use crate::sqlite_opening::{Refusal, connection, keep_log, look};
use crate::sqlite_rows::{self, KNOWLEDGE_COLUMNS, SNAPSHOT_COLUMNS, SNAPSHOT_TABLES, seconds};
use crate::sqlite_schema::{OpenError, migrate};
use crate::standing::Standing;
use crate::stat::{Stat, Swept};
use crate::store::{Store, StoreError};

/// A store in one `SQLite` file, which several processes may use at once on one machine.
///
/// The file has a write-ahead log, so that reading waits for nobody; writing waits up to five
/// seconds for others who write. A put is answered once the log is on the disk (`synchronous=FULL`),
/// and those that threads want at the same time wait for the disk together; a lease is answered once
/// it outlives `kill -9` (`NORMAL`). Times after 2⁶³ − 1 seconds are kept as that
/// second. A file that is no store, or a damaged one, is an error and is left as it is.
///
/// The file belongs on a local disk: processes share memory through it, which network disks do not
/// do.
pub struct SqliteStore {
    writer: Mutex<Connection>,
    reader: Mutex<Connection>,
    puts: GroupCommit<Put, Result<SnapshotId, StoreError>>,
}

/// What is put, and with which lease. Bodies are shared, not copied.
type Put = (Observation, Lease);

/// What is told to who waited for a thread that did not come back.
const LEADER_PANICKED: &str = "the thread that wrote for several panicked, and nothing was put";

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
            puts: GroupCommit::new(),
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

    fn write<T>(
        &self,
        lasting: Lasting,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        commit(&mut lock(&self.writer), lasting, write)
    }

    fn standing(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<Standing>, StoreError> {
        let reader = lock(&self.reader);
        let text = format!(
            "SELECT {SNAPSHOT_COLUMNS}, {KNOWLEDGE_COLUMNS} FROM {SNAPSHOT_TABLES} \
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
        let job = (observation.clone(), lease.clone());
        let enter = || lock(&self.writer);
        let answer = self
            .puts
            .submit(job, enter, |writer, jobs| put_group(writer, jobs));
        answer.unwrap_or_else(|| Err(StoreError::Backend(LEADER_PANICKED.into())))
    }

    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError> {
        self.write(Lasting::Power, |it| append(it, observations, lease))
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
        let condition = "s.id > ?2 AND s.ended_at >= ?4 AND s.ended_at < ?5 ORDER BY s.id";
        let parameters = params![
            authority.to_string(),
            i64::try_from(after.0).unwrap_or(i64::MAX),
            i64::try_from(snapshots_max).unwrap_or(i64::MAX),
            seconds(during.start),
            seconds(during.end),
        ];
        snapshots(&lock(&self.reader), authority, condition, parameters).map_err(failure)
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
        snapshots(&lock(&self.reader), authority, condition, parameters).map_err(failure)
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

/// Does all of `write`, or nothing of it.
fn commit<T>(
    writer: &mut Connection,
    lasting: Lasting,
    write: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let synchronous = lasting.synchronous();
    (writer.pragma_update(None, "synchronous", synchronous)).map_err(failure)?;
    // What will write says so at once: who begins by reading may find his view outdated when he
    // comes to write, and then no waiting helps.
    let transaction = writer
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failure)?;
    let written = write(&transaction)?;
    transaction.commit().map_err(failure)?;
    Ok(written)
}

/// Puts what several threads want put, and waits for the disk once. Where that fails as a whole,
/// each is put alone, so that one that does not fit keeps no other out.
fn put_group(
    mut writer: MutexGuard<'_, Connection>,
    puts: &[Put],
) -> Vec<Result<SnapshotId, StoreError>> {
    let together = commit(&mut writer, Lasting::Power, |it| {
        let each = puts.iter().map(|(seen, lease)| put(it, seen, lease));
        each.collect::<Result<Vec<_>, _>>()
    });
    match together {
        Ok(answers) => answers,
        // Waiting as long once more for each would keep the last one waiting for minutes.
        Err(StoreError::Busy) => puts.iter().map(|_| Err(StoreError::Busy)).collect(),
        Err(error) if puts.len() == 1 => vec![Err(error)],
        Err(_) => {
            let alone = |(seen, lease): &Put| {
                let writer: &mut Connection = &mut writer;
                commit(writer, Lasting::Power, |it| put(it, seen, lease)).flatten()
            };
            puts.iter().map(alone).collect()
        }
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

/// Puts several snapshots of one authority. Its lease goes on.
fn append(
    connection: &Connection,
    observations: &[Observation],
    lease: &Lease,
) -> Result<Vec<SnapshotId>, StoreError> {
    if sqlite_leases::look(connection, lease).map_err(failure)? == Held::Lost {
        return Err(StoreError::lost(lease));
    }
    let append = |seen: &Observation| {
        StoreError::unless_for(lease, &seen.authority)?;
        sqlite_rows::insert(connection, seen).map_err(failure)
    };
    observations.iter().map(append).collect()
}

/// The snapshots of an authority (the first parameter) on some condition, with its order; at most
/// as many as the third parameter says.
fn snapshots(
    connection: &Connection,
    authority: &Authority,
    condition: &str,
    parameters: &[&dyn ToSql],
) -> Result<Vec<Snapshot>, Error> {
    let text = format!(
        "SELECT {SNAPSHOT_COLUMNS} FROM {SNAPSHOT_TABLES} \
         WHERE s.authority = (SELECT id FROM authority WHERE name = ?1) AND {condition} LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&text)?;
    let read = |row: &rusqlite::Row<'_>| sqlite_rows::snapshot(row, authority);
    statement.query_map(parameters, read)?.collect()
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
         (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size), \
         (SELECT ended_at FROM snapshot ORDER BY id LIMIT 1), \
         (SELECT ended_at FROM snapshot ORDER BY id DESC LIMIT 1)",
        (),
        |row| {
            let time = |seconds: Option<u64>| seconds.map(Timestamp::from_unix_seconds);
            Ok(Stat {
                authorities: row.get(0)?,
                snapshots: row.get(1)?,
                bodies: row.get(2)?,
                body_octets: row.get(3)?,
                leases: row.get(4)?,
                octets: row.get(5)?,
                first_ended_at: row.get(6).map(time)?,
                last_ended_at: row.get(7).map(time)?,
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
            let held = lock(&store.writer);
            for (observation, lease) in &puts {
                let store = &store;
                scope.spawn(move || store.put(observation, lease).unwrap());
            }
            while store.puts.waiting() < puts.len() {
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
        let pages = lock(&store.writer).pragma_update(None, "max_page_count", 60);
        pages.unwrap();
        let put_of = |octets| {
            let authority = Authority::of(&format!("https://h{octets}.example/")).unwrap();
            (seen(&authority, octets), lease(&store, &authority))
        };
        let puts: Vec<Put> = [10, 300_000, 30].map(put_of).into();
        let answers = put_group(lock(&store.writer), &puts);
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
        let pages = lock(&store.writer).pragma_update(None, "max_page_count", 40);
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
