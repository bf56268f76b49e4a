//! A URL as a target.

use pyo3::prelude::*;
use verger::{Reading, TargetPath};

use crate::exception::target_error;
use crate::octets::octets;

/// What `read` says of the target of `url`, which is a URL or a request target.
///
/// # Errors
///
/// As [`octets`], and `verger.TargetError` where it is neither, outside `google`.
pub(crate) fn with_target<R>(
    url: &Bound<'_, PyAny>,
    reading: Reading,
    read: impl FnOnce(&[u8], &TargetPath<'_>) -> R,
) -> PyResult<R> {
    let octets = octets(url)?;
    match TargetPath::new(&*octets, reading) {
        Ok(target) => Ok(read(&octets, &target)),
        Err(error) => Err(target_error(url.py(), &error, &octets, None)),
    }
}
