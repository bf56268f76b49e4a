//! Converts a URL to a target.

use magnus::{Error, RString, Ruby};
use verger::{Dialect, TargetPath};
use verger_access::{RequestedUrlError, asked_target};

use crate::bytes::{frozen_string, with_bytes};
use crate::exception::exception;

pub(crate) fn target_error(ruby: &Ruby, error: &RequestedUrlError, url: RString) -> Error {
    let url = with_bytes([url], |[url]| url.to_vec());
    let arguments = (error.to_string(), frozen_string(ruby, &url));
    exception(ruby, "TargetError", arguments)
}

/// Calls `read` with the target of `url`, which is a URL or a request target.
///
/// # Errors
///
/// Returns `Verger::TargetError`, except in `google`, if `url` is neither or if its authority is
/// not valid.
pub(crate) fn with_target<R>(
    ruby: &Ruby,
    url: RString,
    dialect: Dialect,
    read: impl FnOnce(&TargetPath<'_>) -> R + Send,
) -> Result<R, Error>
where
    R: Send,
{
    with_found_target(ruby, url, |url| asked_target(url, dialect), read)
}

/// Calls `read` with the target that `find` returns.
pub(crate) fn with_found_target<R>(
    ruby: &Ruby,
    url: RString,
    find: impl FnOnce(&[u8]) -> Result<TargetPath<'_>, RequestedUrlError> + Send,
    read: impl FnOnce(&TargetPath<'_>) -> R + Send,
) -> Result<R, Error>
where
    R: Send,
{
    with_bytes([url], |[bytes]| find(bytes).map(|target| read(&target)))
        .map_err(|error| target_error(ruby, &error, url))
}
