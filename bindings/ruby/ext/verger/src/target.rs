//! A URL as a target.

use magnus::{Error, RString, Ruby};
use verger::{Dialect, TargetPath, TargetPathError};

use crate::exception::exception;
use crate::octets::{frozen_string, with_octets};

/// The `Verger::TargetError` that says what the engine says.
pub(crate) fn target_error(ruby: &Ruby, error: &TargetPathError, url: RString) -> Error {
    let url = with_octets([url], |[url]| url.to_vec());
    let arguments = (error.to_string(), frozen_string(ruby, &url));
    exception(ruby, "TargetError", arguments)
}

/// What `read` says of the target of `url`, which is a URL or a request target.
///
/// # Errors
///
/// `Verger::TargetError`, where it is neither, outside `google`.
pub(crate) fn with_target<R>(
    ruby: &Ruby,
    url: RString,
    dialect: Dialect,
    read: impl FnOnce(&TargetPath<'_>) -> R + Send,
) -> Result<R, Error>
where
    R: Send,
{
    with_octets([url], |[octets]| {
        TargetPath::new(octets, dialect).map(|target| read(&target))
    })
    .map_err(|error| target_error(ruby, &error, url))
}
