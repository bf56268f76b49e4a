//! Errors of `SQLite` as errors of the store.

use rusqlite::{Error, ErrorCode};

use crate::shortage::{Resource, Shortage};
use crate::store_error::StoreError;

/// Returns the shortage that an error of `SQLite` reports. `SQLite` does not say why it cannot open a file.
pub(crate) fn shortage(error: &Error) -> Option<Shortage> {
    match error.sqlite_error_code()? {
        ErrorCode::DiskFull => Some(Shortage::new(Resource::Disk, "")),
        ErrorCode::OutOfMemory => Some(Shortage::new(Resource::Memory, "")),
        ErrorCode::CannotOpen | ErrorCode::SystemIoFailure => Shortage::unless_files_open().err(),
        _ => None,
    }
}

pub(crate) fn failure(error: Error) -> StoreError {
    match error {
        // The value has a type or range that no store writes.
        Error::FromSqlConversionFailure(_, _, what) => StoreError::Damaged(what.to_string()),
        Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::Utf8Error(..) => StoreError::Damaged(error.to_string()),
        error => match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                StoreError::Damaged(error.to_string())
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            Some(ErrorCode::ReadOnly) => StoreError::ReadOnly,
            _ => match shortage(&error) {
                Some(shortage) => StoreError::Shortage(shortage),
                None => StoreError::Backend(Box::new(error)),
            },
        },
    }
}
