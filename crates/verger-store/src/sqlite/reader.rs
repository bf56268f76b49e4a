//! `SqliteReader`: the connection that reads.
//!
//! | file | how it is read |
//! |---|---|
//! | of a store that also writes | through the write-ahead log |
//! | opened for reading, with a write-ahead log | through that log |
//! | opened for reading, without one | as an immutable file, and checked to be unchanged |
//!
//! Reading an immutable file needs no write permission, creates no file and takes no lock, so a writer may start at any
//! time. A writer writes its log first and the file later. So the result is returned only if afterwards there is no log
//! and the file has not changed. If it has changed, it is opened and read again.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, Error, ErrorCode, OpenFlags};

use crate::sqlite::failure::failure;
use crate::sqlite::file::{FileStamp, WalState, immutable_uri};
use crate::sqlite::opening::{OpenFailure, connection, refuse_foreign};
use crate::sqlite::schema::{FileFormat, file_format, migrate};
use crate::store_error::StoreError;
use crate::unpoisoned_mutex::UnpoisonedMutex;

/// Maximum number of times that a changing file is opened before it counts as busy.
const OPENINGS_MAX: usize = 20;

pub(crate) struct SqliteReader {
    path: PathBuf,
    reading: UnpoisonedMutex<ReadConnection>,
}

struct ReadConnection {
    connection: Connection,
    /// The metadata of an immutable file when it was opened, or `None` for other files.
    unchanged: Option<FileStamp>,
}

impl SqliteReader {
    /// Opens a reader for a store that also writes.
    pub(crate) fn beside_writer(path: &Path) -> Result<Self, Error> {
        let files = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = connection(path, files)?;
        reader.pragma_update(None, "query_only", "ON")?;
        Ok(Self::new(path, reader, None))
    }

    /// Opens a reader for a store that only reads.
    pub(crate) fn alone(path: &Path) -> Result<Self, OpenFailure> {
        let ReadConnection {
            connection,
            unchanged,
        } = ReadConnection::of(path)?;
        Ok(Self::new(path, connection, unchanged))
    }

    fn new(path: &Path, connection: Connection, unchanged: Option<FileStamp>) -> Self {
        Self {
            path: path.to_owned(),
            reading: UnpoisonedMutex::new(ReadConnection {
                connection,
                unchanged,
            }),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Calls `read`, and repeats it if the file changed meanwhile.
    pub(crate) fn read<T>(
        &self,
        read: impl Fn(&Connection) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        let mut reading = self.reading.lock();
        for _ in 0..OPENINGS_MAX {
            let Some(unchanged) = reading.unchanged else {
                return read(&reading.connection).map_err(failure);
            };
            let is_unchanged = || FileStamp::of(&self.path).is_ok_and(|now| now == unchanged);
            if is_unchanged() {
                let answer = read(&reading.connection);
                if is_unchanged() {
                    return answer.map_err(failure);
                }
            }
            *reading = ReadConnection::of(&self.path).map_err(OpenFailure::into_store_error)?;
        }
        Err(StoreError::Busy)
    }
}

impl ReadConnection {
    fn of(path: &Path) -> Result<Self, OpenFailure> {
        refuse_foreign(path)?;
        for _ in 0..OPENINGS_MAX {
            let before = FileStamp::of(path).map_err(OpenFailure::Inaccessible)?;
            let (name, flags) = match before.wal_state() {
                WalState::Written => (path.to_owned(), OpenFlags::empty()),
                WalState::Empty => (immutable_uri(path).into(), OpenFlags::SQLITE_OPEN_URI),
            };
            let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let opened = connection(&name, read_only | flags).and_then(|mut connection| {
                let format = file_format(&*connection.transaction()?)?;
                Ok((connection, format))
            });
            match before.wal_state() {
                // The log was written or removed meanwhile.
                WalState::Empty if FileStamp::of(path).is_ok_and(|now| now == before) => {
                    let (connection, format) = opened?;
                    return Self::accepted(connection, &format, Some(before));
                }
                WalState::Empty => {}
                WalState::Written => match opened {
                    Ok((connection, format)) => {
                        return Self::accepted(connection, &format, None);
                    }
                    Err(error) if needs_writer(&error) => {
                        if FileStamp::of(path).is_ok_and(|now| now.wal_state() == WalState::Written)
                        {
                            return Err(OpenFailure::Unfinished);
                        }
                    }
                    Err(error) => return Err(error.into()),
                },
            }
        }
        Err(OpenFailure::Unfinished)
    }

    fn accepted(
        connection: Connection,
        format: &FileFormat,
        unchanged: Option<FileStamp>,
    ) -> Result<Self, OpenFailure> {
        OpenFailure::unless_version(format)?;
        // An empty file becomes a store when it is opened for writing. Until then it has no tables.
        let connection = if *format == FileFormat::Version(0) {
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

/// Returns whether reading would have to create a file or roll back a journal first.
fn needs_writer(error: &Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}
