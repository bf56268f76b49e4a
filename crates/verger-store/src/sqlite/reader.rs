//! `SqliteReader`: the connection of a store that reads.
//!
//! | the file | is read |
//! |---|---|
//! | of a store that also writes | beside the writer, through its log |
//! | opened for reading, with a log beside it | through the log, as beside any other process |
//! | opened for reading, without one | as a file that does not change, and checked to be unchanged |
//!
//! The last needs no permission to write, makes no file and takes no lock, so a writer may begin at
//! any time. It first writes a log, and only later the file. Therefore what was read counts only if
//! afterwards there is still no log and the file has not changed; else it is opened and read again.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Error, ErrorCode, OpenFlags};

use crate::sqlite::failure::failure;
use crate::sqlite::file::{Log, Stamp, unchanging};
use crate::sqlite::opening::{Refusal, connection};
use crate::sqlite::schema::{Form, form, migrate};
use crate::store_error::StoreError;

/// How often a file that changes is opened again before it counts as busy.
const OPENINGS_MAX: usize = 20;

/// A connection that reads.
pub(crate) struct SqliteReader {
    path: PathBuf,
    reading: Mutex<Reading>,
}

struct Reading {
    connection: Connection,
    /// How the file was when it was opened as one that does not change.
    unchanged: Option<Stamp>,
}

impl SqliteReader {
    /// Beside a writer of the same process.
    pub(crate) fn beside_writer(path: &Path) -> Result<Self, Error> {
        let files = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = connection(path, files)?;
        reader.pragma_update(None, "query_only", "ON")?;
        Ok(Self::new(path, reader, None))
    }

    /// Without a writer.
    pub(crate) fn alone(path: &Path) -> Result<Self, Refusal> {
        let Reading {
            connection,
            unchanged,
        } = Reading::of(path)?;
        Ok(Self::new(path, connection, unchanged))
    }

    fn new(path: &Path, connection: Connection, unchanged: Option<Stamp>) -> Self {
        Self {
            path: path.to_owned(),
            reading: Mutex::new(Reading {
                connection,
                unchanged,
            }),
        }
    }

    /// Reads.
    pub(crate) fn read<T>(
        &self,
        read: impl Fn(&Connection) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        let mut reading = self.lock();
        for _ in 0..OPENINGS_MAX {
            let Some(unchanged) = reading.unchanged else {
                return read(&reading.connection).map_err(failure);
            };
            let is_unchanged = || Stamp::of(&self.path).is_ok_and(|now| now == unchanged);
            if is_unchanged() {
                let answer = read(&reading.connection);
                if is_unchanged() {
                    return answer.map_err(failure);
                }
            }
            *reading = Reading::of(&self.path).map_err(Refusal::into_store_error)?;
        }
        Err(StoreError::Busy)
    }

    /// Nothing that is read leaves a half-done change behind.
    fn lock(&self) -> MutexGuard<'_, Reading> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reading {
    fn of(path: &Path) -> Result<Self, Refusal> {
        for _ in 0..OPENINGS_MAX {
            let before = Stamp::of(path).map_err(Refusal::Inaccessible)?;
            let (name, flags) = match before.log() {
                Log::Written => (path.to_owned(), OpenFlags::empty()),
                Log::Empty => (unchanging(path).into(), OpenFlags::SQLITE_OPEN_URI),
            };
            let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let opened = connection(&name, read_only | flags).and_then(|mut connection| {
                let form = form(&*connection.transaction()?)?;
                Ok((connection, form))
            });
            match before.log() {
                // The log came or went meanwhile.
                Log::Empty if Stamp::of(path).is_ok_and(|now| now == before) => {
                    let (connection, form) = opened?;
                    return Self::accepted(connection, form, Some(before));
                }
                Log::Empty => {}
                Log::Written => match opened {
                    Ok((connection, form)) => return Self::accepted(connection, form, None),
                    Err(error) if needs_writer(&error) => {
                        if Stamp::of(path).is_ok_and(|now| now.log() == Log::Written) {
                            return Err(Refusal::Unfinished);
                        }
                    }
                    Err(error) => return Err(error.into()),
                },
            }
        }
        Err(Refusal::Unfinished)
    }

    fn accepted(
        connection: Connection,
        form: Form,
        unchanged: Option<Stamp>,
    ) -> Result<Self, Refusal> {
        Refusal::unless_version(form)?;
        // A file that is still empty becomes a store with the first who writes.
        let connection = if form == Form::Version(0) {
            let mut empty = Connection::open_in_memory()?;
            migrate(&mut empty)?;
            empty
        } else {
            connection
        };
        Ok(Self {
            connection,
            unchanged,
        })
    }
}

/// Whether a log cannot be read without making a file beside it, or must be undone first.
fn needs_writer(error: &Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}
