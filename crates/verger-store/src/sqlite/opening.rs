//! How a file is opened: looked at first, then given its form and its log.

use core::time::Duration;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, TransactionBehavior};

use crate::sqlite::failure::failure;
use crate::sqlite::schema::{Form, OpenError, form, open_failure};
use crate::store_error::StoreError;

/// How long a process waits for another one that writes: so many naps of so long. `SQLite`'s own naps
/// grow to 100 ms, and who has waited long then hardly ever finds the turn free among others.
const NAPS_MAX: i32 = 1250;
const NAP: Duration = Duration::from_millis(4);

/// How often the change to a write-ahead log is tried while other processes try the same.
const LOG_ATTEMPTS_MAX: usize = 100;

/// No database is shorter than its shortest page.
const PAGE_OCTETS_MIN: u64 = 512;

/// Statements kept compiled on each connection; there are fewer.
const STATEMENTS_MAX: usize = 32;

/// What keeps a file from being opened.
pub(crate) enum Refusal {
    Form(Form),
    Failure(Error),
    /// The system does not open it.
    Inaccessible(io::Error),
    /// A log stands beside it that cannot be read.
    Unfinished,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Failure(error)
    }
}

impl Refusal {
    pub(crate) fn unless_version(form: Form) -> Result<(), Self> {
        match form {
            Form::Version(_) => Ok(()),
            Form::Newer(_) | Form::Foreign => Err(Self::Form(form)),
        }
    }

    pub(crate) fn unwrap_or_failure(self, path: PathBuf) -> OpenError {
        match self {
            Self::Form(Form::Newer(found)) => OpenError::Newer { path, found },
            Self::Form(Form::Version(_) | Form::Foreign) => OpenError::Foreign(path),
            Self::Failure(error) => open_failure(path, error),
            Self::Inaccessible(error) => OpenError::Inaccessible(path, error),
            Self::Unfinished => OpenError::Unfinished(path),
        }
    }

    /// Where a file that was a store a moment ago cannot be opened again.
    pub(crate) fn into_store_error(self) -> StoreError {
        match self {
            Self::Failure(error) => failure(error),
            Self::Inaccessible(error) => StoreError::Backend(error.into()),
            Self::Form(_) => StoreError::Damaged("it is another file now".to_owned()),
            Self::Unfinished => StoreError::Busy,
        }
    }
}

/// A connection to a file.
pub(crate) fn connection(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_handler(Some(nap))?;
    // Else a statement is compiled anew whenever a bound value could change its plan, as each
    // `LIMIT ?` could.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok(connection)
}

/// Waits a little for another process; `false` where that was done often enough.
fn nap(naps: i32) -> bool {
    if naps < NAPS_MAX {
        std::thread::sleep(NAP);
    }
    naps < NAPS_MAX
}

/// Looks what a file is through a connection that cannot write: one that could would tidy up
/// somebody else's log when it is closed.
pub(crate) fn look(path: &Path) -> Result<(), Refusal> {
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
pub(crate) fn keep_log(connection: &mut Connection) -> Result<(), Error> {
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
