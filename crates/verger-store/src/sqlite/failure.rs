//! Errors of `SQLite` as errors of the store.

use rusqlite::{Error, ErrorCode};

use crate::store_error::StoreError;

/// Converts an error of `SQLite`.
pub(crate) fn failure(error: Error) -> StoreError {
    match error {
        // A value of another type or range than was ever written.
        Error::FromSqlConversionFailure(_, _, what) => StoreError::Damaged(what.to_string()),
        Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::Utf8Error(..) => StoreError::Damaged(error.to_string()),
        error => match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                StoreError::Damaged(error.to_string())
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            Some(ErrorCode::DiskFull) => StoreError::DiskFull,
            Some(ErrorCode::ReadOnly) => StoreError::ReadOnly,
            _ => StoreError::Backend(Box::new(error)),
        },
    }
}
