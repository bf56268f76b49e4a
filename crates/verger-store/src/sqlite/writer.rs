//! `SqliteWriter`: the connection of a store that writes, and what a transaction does.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::lease::Lease;
use crate::observation::Observation;
use crate::snapshot::SnapshotId;
use crate::sqlite::failure::failure;
use crate::sqlite::file;
use crate::sqlite::group_commit::GroupCommit;
use crate::sqlite::leases::{self, Held};
use crate::sqlite::opening::{Refusal, connection, keep_log, look};
use crate::sqlite::rows::{self, Inserted};
use crate::sqlite::schema::migrate;
use crate::sqlite::store_settings::StoreSettings;
use crate::sqlite::sweep::{self, FailedBefore};
use crate::store_error::StoreError;

/// What is put, and with which lease. Bodies are shared, not copied.
type Put = (Observation, Lease);

/// The error of a put whose group was written by a thread that panicked.
const LEADER_PANICKED: &str = "the thread that wrote for several panicked, and nothing was put";

/// So much of the file a connection that writes keeps in memory. The hashes of bodies come in no
/// order, so each of them changes another page.
const CACHE_KIBIBYTES: i64 = 16 << 10;

/// The log is brought into the file once it has so many pages of 4 KiB; of an import, which changes
/// most pages many times, when it has more.
const LOG_PAGES: i64 = 1000;
const IMPORT_LOG_PAGES: i64 = 8000;

/// What a change outlives once it is answered.
#[derive(Clone, Copy)]
pub(crate) enum Lasting {
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

/// Whether puts sweep a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sweep {
    None,
    Piece,
}

/// A connection that writes.
pub(crate) struct SqliteWriter {
    connection: Mutex<Connection>,
    puts: GroupCommit<Put, Result<SnapshotId, StoreError>>,
    settings: StoreSettings,
    has_sweep_failed: AtomicBool,
}

impl SqliteWriter {
    /// Opens a file, and makes a store of it where there is none or an empty one.
    pub(crate) fn open(path: &Path, settings: StoreSettings) -> Result<Self, Refusal> {
        look(path)?;
        file::make(path).map_err(Refusal::Inaccessible)?;
        let files = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut writer = connection(path, files)?;
        Refusal::unless_version(migrate(&mut writer)?)?;
        keep_log(&mut writer)?;
        writer.pragma_update(None, "foreign_keys", "ON")?;
        writer.pragma_update(None, "cache_size", -CACHE_KIBIBYTES)?;
        Ok(Self {
            connection: Mutex::new(writer),
            puts: GroupCommit::new(),
            settings,
            has_sweep_failed: AtomicBool::new(false),
        })
    }

    /// Does all of `write`, or nothing of it.
    pub(crate) fn write<T>(
        &self,
        lasting: Lasting,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        commit(&mut self.lock(), lasting, write)
    }

    /// Does all of a large `write`, or nothing of it.
    pub(crate) fn write_many<T>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut import = ForImport::begun(self.lock())?;
        commit(&mut import.0, Lasting::Power, write)
    }

    /// Does what cannot stand in a transaction.
    pub(crate) fn alone<T>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        write(&self.lock()).map_err(failure)
    }

    /// Puts one snapshot, together with those that other threads put at the same time.
    pub(crate) fn put(
        &self,
        observation: &Observation,
        lease: &Lease,
    ) -> Result<SnapshotId, StoreError> {
        let job = (observation.clone(), lease.clone());
        let enter = || self.lock();
        let write = |writer, jobs: &[Put]| self.put_group(writer, jobs);
        let answer = self.puts.submit(job, enter, write);
        answer.unwrap_or_else(|| Err(StoreError::Backend(LEADER_PANICKED.into())))
    }

    /// Puts several snapshots.
    pub(crate) fn put_all(
        &self,
        puts: &[(&Observation, &Lease)],
    ) -> Result<Vec<Result<SnapshotId, StoreError>>, StoreError> {
        let put = |sweep: Sweep| {
            self.write(Lasting::Power, |it| {
                let each = puts
                    .iter()
                    .map(|(seen, lease)| self.put_one(it, seen, lease));
                let answers = each.collect::<Result<Vec<_>, _>>()?;
                if sweep == Sweep::Piece {
                    self.sweep_piece(it, puts.iter().map(|(seen, _)| *seen))?;
                }
                Ok(answers)
            })
        };
        let answers = put(Sweep::Piece);
        if answers.is_err() && self.has_sweep_failed() {
            return put(Sweep::None);
        }
        answers
    }

    /// Puts several snapshots of one authority. Its lease goes on.
    pub(crate) fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError> {
        self.write(Lasting::Power, |it| {
            if leases::look(it, lease).map_err(failure)? == Held::Lost {
                return Err(StoreError::lost(lease));
            }
            let append = |seen: &Observation| {
                StoreError::unless_for(lease, &seen.authority)?;
                self.insert(it, seen)
            };
            observations.iter().map(append).collect()
        })
    }

    /// Puts what several threads want put, and waits for the disk once. Where that fails as a whole,
    /// each is put alone, so that one that does not fit keeps no other out.
    pub(crate) fn put_group(
        &self,
        mut writer: MutexGuard<'_, Connection>,
        puts: &[Put],
    ) -> Vec<Result<SnapshotId, StoreError>> {
        let together = commit(&mut writer, Lasting::Power, |it| {
            let each = puts
                .iter()
                .map(|(seen, lease)| self.put_one(it, seen, lease));
            let answers = each.collect::<Result<Vec<_>, _>>()?;
            self.sweep_piece(it, puts.iter().map(|(seen, _)| seen))?;
            Ok(answers)
        });
        match together {
            Ok(answers) => answers,
            // Waiting as long once more for each would keep the last one waiting for minutes.
            Err(StoreError::Busy) => puts.iter().map(|_| Err(StoreError::Busy)).collect(),
            Err(error) if puts.len() == 1 && !self.has_sweep_failed() => vec![Err(error)],
            Err(_) => {
                let alone = |(seen, lease): &Put| {
                    let writer: &mut Connection = &mut writer;
                    commit(writer, Lasting::Power, |it| self.put_one(it, seen, lease)).flatten()
                };
                puts.iter().map(alone).collect()
            }
        }
    }

    /// Puts one snapshot. An error of its lease is kept apart from a failure of the store,
    /// which concerns all that is put with it.
    fn put_one(
        &self,
        connection: &Connection,
        observation: &Observation,
        lease: &Lease,
    ) -> Result<Result<SnapshotId, StoreError>, StoreError> {
        if let Err(error) = StoreError::unless_for(lease, &observation.authority) {
            return Ok(Err(error));
        }
        match leases::end(connection, lease).map_err(failure)? {
            Held::Still => self.insert(connection, observation).map(Ok),
            Held::Lost => Ok(Err(StoreError::lost(lease))),
        }
    }

    /// Appends a snapshot, and keeps the quota of its authority.
    pub(crate) fn insert(
        &self,
        connection: &Connection,
        observation: &Observation,
    ) -> Result<SnapshotId, StoreError> {
        let inserted = rows::insert(connection, observation).map_err(failure)?;
        let Inserted {
            id,
            authority,
            authority_snapshots: snapshots,
            authority_octets: octets,
        } = inserted;
        sweep::enforce(connection, &self.settings, authority, snapshots, octets)
            .map_err(failure)?;
        Ok(id)
    }

    /// Does a share of the sweep that runs by itself, at the latest time that is put. An error that
    /// does not end the transaction leaves the authority concerned as it is, and what is put stays
    /// put: `check` says what is wrong with it. Where one does end it, the puts are tried again
    /// without a sweep, and the next piece begins behind this one.
    fn sweep_piece<'o>(
        &self,
        connection: &Connection,
        put: impl ExactSizeIterator<Item = &'o Observation>,
    ) -> Result<(), StoreError> {
        let Some(schedule) = self.settings.sweep else {
            return Ok(());
        };
        let puts = put.len();
        let now = put.map(|seen| seen.attempt.last.at).max();
        let now = now.unwrap_or_default();
        let failed_before = if self.has_sweep_failed() {
            FailedBefore::Yes
        } else {
            FailedBefore::No
        };
        let swept = sweep::in_savepoint(connection, || {
            sweep::piece(connection, schedule, puts, now, failed_before)
        });
        let has_failed = !matches!(swept, Ok(Ok(()))) && failed_before == FailedBefore::No;
        self.has_sweep_failed.store(has_failed, Ordering::Relaxed);
        swept.map(drop).map_err(failure)
    }

    fn has_sweep_failed(&self) -> bool {
        self.has_sweep_failed.load(Ordering::Relaxed)
    }

    /// How many puts wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.puts.waiting()
    }

    /// A transaction that a panic interrupts is rolled back, so a connection that saw one is as good
    /// as any.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        (self.connection.lock()).unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection with the settings for an import, until it is dropped.
struct ForImport<'w>(MutexGuard<'w, Connection>);

impl<'w> ForImport<'w> {
    fn begun(writer: MutexGuard<'w, Connection>) -> Result<Self, StoreError> {
        let import = Self(writer);
        import
            .set(IMPORT_LOG_PAGES, "OFF", "MEMORY")
            .map_err(failure)?;
        Ok(import)
    }

    /// Sets how long the log becomes; whether each row is checked to refer to rows that exist, which
    /// an import makes or finds in the same transaction; and where a statement keeps copies of the
    /// pages that it changes, so that it can be undone alone. With the check most statements keep
    /// some; in a temporary file, each of them takes 64 KiB of memory first.
    fn set(
        &self,
        log_pages: i64,
        foreign_keys: &str,
        temp_store: &str,
    ) -> Result<(), rusqlite::Error> {
        let ignore = |_: &rusqlite::Row<'_>| Ok(());
        (self.0).pragma_update_and_check(None, "wal_autocheckpoint", log_pages, ignore)?;
        (self.0).pragma_update(None, "foreign_keys", foreign_keys)?;
        (self.0).pragma_update(None, "temp_store", temp_store)
    }
}

impl Drop for ForImport<'_> {
    fn drop(&mut self) {
        // Neither touches the file. Where one failed, the next import would set it again.
        let _ = self.set(LOG_PAGES, "ON", "DEFAULT");
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
