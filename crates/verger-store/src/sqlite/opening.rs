//! Opens a file: checks its format, migrates it, and turns on a write-ahead log.

use core::time::Duration;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, TransactionBehavior};

use crate::shortage::Shortage;
use crate::sqlite::failure::failure;
use crate::sqlite::schema::{FileFormat, OpenError, file_format, open_failure};
use crate::store_error::StoreError;

/// Maximum number of retries while another process writes. At 4 ms each they take 5 s. `SQLite`'s own handler waits up
/// to 100 ms between retries, and among many writers it rarely finds the lock free.
const BUSY_RETRIES_MAX: i32 = 1250;
const BUSY_RETRY_TIME: Duration = Duration::from_millis(4);

/// Maximum number of attempts to turn on write-ahead logging while other processes do the same.
const LOG_ATTEMPTS_MAX: usize = 100;

/// Minimum size of a database: the smallest page of `SQLite`.
const PAGE_BYTES_MIN: u64 = 512;

/// Size of the cache of compiled statements on each connection. It exceeds the number of statements.
const STATEMENTS_MAX: usize = 32;

pub(crate) enum OpenFailure {
    Format(FileFormat),
    Failure(Error),
    /// The operating system refuses to open it.
    Inaccessible(io::Error),
    /// A write-ahead log exists next to it and cannot be read.
    Unfinished,
}

impl From<Error> for OpenFailure {
    fn from(error: Error) -> Self {
        Self::Failure(error)
    }
}

impl OpenFailure {
    pub(crate) fn unless_version(format: &FileFormat) -> Result<(), Self> {
        match format {
            FileFormat::Version(_) => Ok(()),
            _ => Err(Self::Format(format.clone())),
        }
    }

    pub(crate) fn into_open_error(self, path: PathBuf) -> OpenError {
        match self {
            Self::Format(FileFormat::Newer(found)) => OpenError::Newer { path, found },
            Self::Format(FileFormat::Altered(name)) => OpenError::Altered { path, name },
            Self::Format(FileFormat::Version(_) | FileFormat::Foreign) => OpenError::Foreign(path),
            Self::Failure(error) => open_failure(path, error),
            Self::Inaccessible(error) => match Shortage::from_io(&error) {
                Some(shortage) => OpenError::Shortage(path, shortage),
                None => OpenError::Inaccessible(path, error),
            },
            Self::Unfinished => OpenError::Unfinished(path),
        }
    }

    /// Converts to the error for a file that was open before and cannot be opened again.
    pub(crate) fn into_store_error(self) -> StoreError {
        match self {
            Self::Failure(error) => failure(error),
            Self::Inaccessible(error) => match Shortage::from_io(&error) {
                Some(shortage) => StoreError::Shortage(shortage),
                None => StoreError::Backend(error.into()),
            },
            Self::Format(_) => StoreError::Damaged("it was replaced by another file".to_owned()),
            Self::Unfinished => StoreError::Busy,
        }
    }
}

pub(crate) fn connection(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_handler(Some(wait_while_busy))?;
    // Query planner stability: without it, a statement is compiled again whenever a bound value could change its
    // plan, as each `LIMIT ?` could.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // The file may come from anywhere, so nothing in it is trusted. Its schema can run only harmless functions, the
    // structure of each page is checked, and statements cannot write internal tables.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.pragma_update(None, "cell_size_check", "ON")?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok(connection)
}

/// Waits for another process. Returns `false` after the last retry.
fn wait_while_busy(retries: i32) -> bool {
    let retry = retries < BUSY_RETRIES_MAX;
    if retry {
        std::thread::sleep(BUSY_RETRY_TIME);
    }
    retry
}

/// Refuses files that need not be read: `SQLite` treats a file of one byte as empty, and waits for data from a pipe.
/// Does not read the file, because closing it would release the locks that this process holds on it.
pub(crate) fn refuse_foreign(path: &Path) -> Result<(), OpenFailure> {
    let is_foreign = std::fs::metadata(path).is_ok_and(|file| {
        let is_device = !file.is_file() && !file.is_dir();
        is_device || (1..PAGE_BYTES_MIN).contains(&file.len())
    });
    if is_foreign {
        return Err(OpenFailure::Format(FileFormat::Foreign));
    }
    Ok(())
}

/// Checks the format of a file through a read-only connection. A writable connection would checkpoint and delete the
/// log of another program's database when it is closed.
pub(crate) fn check_format(path: &Path) -> Result<(), OpenFailure> {
    refuse_foreign(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let found =
        connection(path, flags).and_then(|mut connection| file_format(&*connection.transaction()?));
    match found {
        Ok(format) => OpenFailure::unless_version(&format),
        // The file does not exist, or its journal must be rolled back first. The writer does both.
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => Ok(()),
            _ => Err(error.into()),
        },
    }
}

/// Turns on write-ahead logging. If several processes do so at once, `SQLite` fails without waiting. An empty
/// transaction between two attempts waits for the other processes.
pub(crate) fn enable_write_ahead_log(connection: &mut Connection) -> Result<(), Error> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_retries_so_often_and_then_gives_up() {
        assert!(wait_while_busy(0));
        assert!(wait_while_busy(BUSY_RETRIES_MAX - 1));
        assert!(!wait_while_busy(BUSY_RETRIES_MAX));
    }
}
