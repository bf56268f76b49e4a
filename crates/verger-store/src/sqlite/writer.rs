//! `SqliteWriter`: the connection that writes, and its transactions.

use std::path::Path;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::lease::Lease;
use crate::observation::Observation;
use crate::snapshot::SnapshotId;
use crate::sqlite::failure::failure;
use crate::sqlite::file::{self, OpenFile};
use crate::sqlite::group_commit::GroupCommit;
use crate::sqlite::leases::{self, LeaseCheck};
use crate::sqlite::opening::{OpenFailure, check_format, connection, enable_write_ahead_log};
use crate::sqlite::rows::{self, Inserted};
use crate::sqlite::schema::migrate;
use crate::sqlite::store_settings::StoreSettings;
use crate::sqlite::sweep::{self, FailedBefore};
use crate::store_error::StoreError;
use crate::unpoisoned_mutex::UnpoisonedMutex;

/// An observation and its lease. Bodies are shared, not copied.
type Put = (Observation, Lease);

/// The error of a put if the thread that wrote its group panicked.
const LEADER_PANICKED: &str = "the writer thread panicked, so nothing was stored";

/// The error of a write after another program removed the file. The data would be lost when the file is closed.
const FILE_GONE: &str = "its file was removed, renamed or replaced while it was open, so nothing was stored: restart this program";

/// Page cache of the writing connection. Hashes of bodies arrive in random order, so each body changes another page of
/// the index.
const CACHE_KIBIBYTES: i64 = 16 << 10;

/// Number of pages of 4 KiB at which the write-ahead log is checkpointed. An import changes most pages many times, so
/// it checkpoints later: with 8,000 pages, an import of a million authorities takes a sixth longer. Its log grows to
/// 128 MiB.
const LOG_PAGES: i64 = 1000;
const IMPORT_LOG_PAGES: i64 = 32_000;

#[derive(Clone, Copy)]
pub(crate) enum Durability {
    /// Survives a crash of the process. This suffices for leases: after a power failure, their holders are gone too.
    ProcessCrash,
    /// Also survives a power failure.
    PowerLoss,
}

impl Durability {
    fn synchronous(self) -> &'static str {
        match self {
            Self::ProcessCrash => "NORMAL",
            Self::PowerLoss => "FULL",
        }
    }
}

/// Whether puts also do a slice of the incremental sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sweep {
    None,
    Slice,
}

pub(crate) struct SqliteWriter {
    file: OpenFile,
    connection: UnpoisonedMutex<Connection>,
    puts: GroupCommit<Put, Result<SnapshotId, StoreError>>,
    settings: StoreSettings,
    has_sweep_failed: AtomicBool,
}

impl SqliteWriter {
    /// Opens a file. Creates a store if the file is missing or empty.
    pub(crate) fn open(path: &Path, settings: StoreSettings) -> Result<Self, OpenFailure> {
        check_format(path)?;
        file::create(path).map_err(OpenFailure::Inaccessible)?;
        let files = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut writer = connection(path, files)?;
        OpenFailure::unless_version(&migrate(&mut writer)?)?;
        enable_write_ahead_log(&mut writer)?;
        writer.pragma_update(None, "foreign_keys", "ON")?;
        writer.pragma_update(None, "cache_size", -CACHE_KIBIBYTES)?;
        Ok(Self {
            file: OpenFile::at(path).map_err(OpenFailure::Inaccessible)?,
            connection: UnpoisonedMutex::new(writer),
            puts: GroupCommit::new(),
            settings,
            has_sweep_failed: AtomicBool::new(false),
        })
    }

    pub(crate) fn write<T>(
        &self,
        durability: Durability,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.commit(&mut self.lock(), durability, write)
    }

    /// Runs a large `write` in a transaction, with settings for an import.
    pub(crate) fn write_many<T>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut import = ImportConnection::begun(self.lock())?;
        self.commit(&mut import.0, Durability::PowerLoss, write)
    }

    pub(crate) fn alone<T>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        write(&self.lock()).map_err(failure)
    }

    /// Puts one snapshot, in one transaction with concurrent puts of other threads.
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

    pub(crate) fn put_all(
        &self,
        puts: &[(&Observation, &Lease)],
    ) -> Result<Vec<Result<SnapshotId, StoreError>>, StoreError> {
        let put = |sweep: Sweep| {
            self.write(Durability::PowerLoss, |it| {
                let each = puts
                    .iter()
                    .map(|(seen, lease)| self.put_one(it, seen, lease));
                let answers = each.collect::<Result<Vec<_>, _>>()?;
                if sweep == Sweep::Slice {
                    self.sweep_slice(it, puts.iter().map(|(seen, _)| *seen))?;
                }
                Ok(answers)
            })
        };
        let answers = put(Sweep::Slice);
        if answers.is_err() && self.has_sweep_failed() {
            return put(Sweep::None);
        }
        answers
    }

    /// Appends several snapshots of one authority. Its lease stays valid.
    pub(crate) fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError> {
        self.write(Durability::PowerLoss, |it| {
            if leases::check(it, lease).map_err(failure)? == LeaseCheck::Lost {
                return Err(StoreError::lost(lease));
            }
            let append = |seen: &Observation| {
                StoreError::unless_for(lease, &seen.authority)?;
                self.insert(it, seen)
            };
            observations.iter().map(append).collect()
        })
    }

    /// Writes the puts of several threads in one transaction. If that fails as a whole, writes each in its own, so one
    /// failing put does not fail the others.
    pub(crate) fn put_group(
        &self,
        mut writer: MutexGuard<'_, Connection>,
        puts: &[Put],
    ) -> Vec<Result<SnapshotId, StoreError>> {
        let together = self.commit(&mut writer, Durability::PowerLoss, |it| {
            let each = puts
                .iter()
                .map(|(seen, lease)| self.put_one(it, seen, lease));
            let answers = each.collect::<Result<Vec<_>, _>>()?;
            self.sweep_slice(it, puts.iter().map(|(seen, _)| seen))?;
            Ok(answers)
        });
        match together {
            Ok(answers) => answers,
            // Each would wait as long again, which is minutes for the last one.
            Err(StoreError::Busy) => puts.iter().map(|_| Err(StoreError::Busy)).collect(),
            Err(error) if puts.len() == 1 && !self.has_sweep_failed() => vec![Err(error)],
            Err(_) => {
                let alone = |(seen, lease): &Put| {
                    let writer: &mut Connection = &mut writer;
                    self.commit(writer, Durability::PowerLoss, |it| {
                        self.put_one(it, seen, lease)
                    })
                    .flatten()
                };
                puts.iter().map(alone).collect()
            }
        }
    }

    /// Runs `write` in a transaction, if the opened file is still the one at its path.
    fn commit<T>(
        &self,
        writer: &mut Connection,
        durability: Durability,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if !self.file.is_in_place() {
            return Err(StoreError::Backend(FILE_GONE.into()));
        }
        commit(writer, durability, write)
    }

    /// Puts one snapshot. The inner error concerns only its lease. The outer error is a failure of the store, which
    /// affects the whole transaction.
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
            LeaseCheck::Valid => self.insert(connection, observation).map(Ok),
            LeaseCheck::Lost => Ok(Err(StoreError::lost(lease))),
        }
    }

    /// Inserts a snapshot, and enforces the quota of its authority.
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
            authority_bytes: bytes,
        } = inserted;
        sweep::enforce(connection, &self.settings, authority, snapshots, bytes).map_err(failure)?;
        Ok(id)
    }

    /// Does a slice of the incremental sweep, at the latest time among the attempts. If it fails at an authority, that
    /// authority is skipped and the puts are kept (`check` reports such a defect). If an error ends the transaction,
    /// the puts are written again without a sweep, and the next slice starts after this one.
    fn sweep_slice<'o>(
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
            sweep::sweep_slice(connection, schedule, puts, now, failed_before)
        });
        let has_failed = !matches!(swept, Ok(Ok(()))) && failed_before == FailedBefore::No;
        self.has_sweep_failed.store(has_failed, Ordering::Relaxed);
        swept.map(drop).map_err(failure)
    }

    fn has_sweep_failed(&self) -> bool {
        self.has_sweep_failed.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.puts.waiting()
    }

    /// Locks the connection. An interrupted transaction is rolled back, so a poisoned lock is usable.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock()
    }
}

/// A connection with the settings for an import, until it is dropped.
struct ImportConnection<'w>(MutexGuard<'w, Connection>);

impl<'w> ImportConnection<'w> {
    fn begun(writer: MutexGuard<'w, Connection>) -> Result<Self, StoreError> {
        let import = Self(writer);
        import
            .set(IMPORT_LOG_PAGES, "OFF", "MEMORY")
            .map_err(failure)?;
        Ok(import)
    }

    /// Sets when the log is checkpointed, whether foreign keys are checked, and where the statement journal is kept.
    ///
    /// An import inserts or finds all referenced rows in the same transaction, so it needs no check. The statement
    /// journal holds copies of changed pages for the rollback of one statement. With foreign keys most statements have
    /// one, and each one in a temporary file first takes 64 KiB of memory.
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

impl Drop for ImportConnection<'_> {
    fn drop(&mut self) {
        // These do not touch the file. If one fails, the connection keeps its import settings.
        let _ = self.set(LOG_PAGES, "ON", "DEFAULT");
    }
}

fn commit<T>(
    writer: &mut Connection,
    durability: Durability,
    write: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let synchronous = durability.synchronous();
    (writer.pragma_update(None, "synchronous", synchronous)).map_err(failure)?;
    // Immediate: if a transaction starts by reading and another connection writes meanwhile, its first write fails,
    // and waiting does not help.
    let transaction = writer
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failure)?;
    let written = write(&transaction)?;
    transaction.commit().map_err(failure)?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_waits_for_the_disk_where_the_change_survives_a_loss_of_power() {
        let mut writer = Connection::open_in_memory().unwrap();
        // Values of SQLite's setting: 1 syncs only at checkpoints, 2 at each commit.
        for (durability, number) in [
            (Durability::ProcessCrash, 1),
            (Durability::PowerLoss, 2),
            (Durability::ProcessCrash, 1),
        ] {
            commit(&mut writer, durability, |_| Ok(())).unwrap();
            let set: i64 = writer
                .pragma_query_value(None, "synchronous", |row| row.get(0))
                .unwrap();
            assert_eq!(set, number);
        }
    }
}
