//! Opens a file: its format is checked first. Then it is migrated and gets a write-ahead log.

use core::time::Duration;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, TransactionBehavior};

use crate::shortage::Shortage;
use crate::sqlite::failure::failure;
use crate::sqlite::schema::{FileFormat, OpenError, file_format, open_failure};
use crate::store_error::StoreError;

/// How long a connection waits for another process that writes: 1250 retries after 4 ms each, 5 s.
/// `SQLite`'s own handler waits up to 100 ms, and among many writers such a connection rarely finds
/// the lock free.
const BUSY_RETRIES_MAX: i32 = 1250;
const BUSY_RETRY_TIME: Duration = Duration::from_millis(4);

/// How often the change to write-ahead logging is tried while other processes try the same.
const LOG_ATTEMPTS_MAX: usize = 100;

/// No database is shorter than its shortest page.
const PAGE_BYTES_MIN: u64 = 512;

/// The size of the cache of compiled statements on each connection. There are fewer statements.
const STATEMENTS_MAX: usize = 32;

/// Why a file cannot be opened.
pub(crate) enum OpenFailure {
    Format(FileFormat),
    Failure(Error),
    /// The system does not open it.
    Inaccessible(io::Error),
    /// There is a write-ahead log next to it that cannot be read.
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

    /// The error for a file that was open before and cannot be opened again.
    pub(crate) fn into_store_error(self) -> StoreError {
        match self {
            Self::Failure(error) => failure(error),
            Self::Inaccessible(error) => match Shortage::from_io(&error) {
                Some(shortage) => StoreError::Shortage(shortage),
                None => StoreError::Backend(error.into()),
            },
            Self::Format(_) => StoreError::Damaged("it is another file now".to_owned()),
            Self::Unfinished => StoreError::Busy,
        }
    }
}

/// Opens a connection to a file.
pub(crate) fn connection(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_handler(Some(wait_while_busy))?;
    // Query planner stability: without it a statement is compiled again whenever a bound value could
    // change its plan, as each `LIMIT ?` could.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // The file may come from anywhere: nothing that its schema says is run but what is harmless, no page is
    // taken to be as it says, and no statement writes what is the library's own.
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

/// Refuses what needs no reading: `SQLite` takes a file of one byte for an empty one, and waits for what comes
/// through a pipe. Reading a file here would release the locks that this process has on it.
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

/// Checks the format of a file through a connection that cannot write: a connection that can would
/// checkpoint and delete the log of another program's database when it is closed.
pub(crate) fn check_format(path: &Path) -> Result<(), OpenFailure> {
    refuse_foreign(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let found =
        connection(path, flags).and_then(|mut connection| file_format(&*connection.transaction()?));
    match found {
        Ok(format) => OpenFailure::unless_version(&format),
        // The file does not exist, or its journal must be rolled back first, which the writer does.
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => Ok(()),
            _ => Err(error.into()),
        },
    }
}

/// Turns write-ahead logging on. Where several processes do so at once, `SQLite` fails without
/// waiting, so an empty transaction waits for the other processes between two attempts.
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
