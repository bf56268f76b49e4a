//! Converts a URL to a target.

use pyo3::prelude::*;
use verger::{Reading, TargetPath};
use verger_access::{RequestedUrlError, asked_target};

use crate::bytes::bytes;
use crate::exception::target_error;

/// Calls `read` with the target of `url`, which is a URL or a request target.
///
/// # Errors
///
/// Returns the errors of [`bytes`], and, except in `google`, `verger.TargetError` if `url` is
/// neither or if its authority is not valid.
pub(crate) fn with_target<R>(
    url: &Bound<'_, PyAny>,
    reading: Reading,
    read: impl FnOnce(&[u8], &TargetPath<'_>) -> R,
) -> PyResult<R> {
    with_found_target(url, |url| asked_target(url, reading), read)
}

/// Calls `read` with the target that `find` returns.
pub(crate) fn with_found_target<R>(
    url: &Bound<'_, PyAny>,
    find: impl FnOnce(&[u8]) -> Result<TargetPath<'_>, RequestedUrlError>,
    read: impl FnOnce(&[u8], &TargetPath<'_>) -> R,
) -> PyResult<R> {
    let bytes = bytes(url)?;
    match find(&bytes) {
        Ok(target) => Ok(read(&bytes, &target)),
        Err(error) => Err(target_error(url.py(), &error, &bytes, None)),
    }
}
