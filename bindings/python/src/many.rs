//! Checks many URLs in chunks, each without the global lock.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyFloat, PyList, PyString};
use verger::TargetPath;
use verger_access::RequestedUrlError;

use crate::bytes::bytes;
use crate::exception::target_error;
use crate::type_error::type_error;

/// Number of URLs in a chunk. Large enough that releasing the lock costs little, and small enough
/// that the items of an iterator are not all in memory at once.
const CHUNK_URLS: usize = 4096;

/// How to handle a URL that is not a valid target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Invalid {
    /// Raises `verger.TargetError` with the index of the URL.
    Raises,
    /// Returns `None` for the URL, and for a missing value.
    IsNone,
}

impl Invalid {
    pub(crate) fn of(strict: bool) -> Self {
        if strict { Self::Raises } else { Self::IsNone }
    }
}

/// Finds the target of each of `urls` with `find`, answers it with `answer`, converts the answers
/// with `object`, and returns a list.
///
/// # Errors
///
/// Returns `TypeError` if `urls` is not an iterable of URLs or is a single URL, and the errors of
/// [`crate::target::with_target`] for each URL.
pub(crate) fn answers<'py, T: Send>(
    urls: &Bound<'py, PyAny>,
    find: impl Fn(&[u8]) -> Result<TargetPath<'_>, RequestedUrlError> + Sync,
    invalid: Invalid,
    answer: impl Fn(&TargetPath<'_>) -> T + Sync,
    object: impl Fn(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = urls.py();
    if urls.cast::<PyString>().is_ok()
        || urls.cast::<PyBytes>().is_ok()
        || urls.cast::<PyByteArray>().is_ok()
    {
        return Err(type_error(urls, "an iterable of URLs"));
    }
    let mut urls = urls.try_iter()?;
    let mut objects = Vec::new();
    loop {
        // The chunk keeps its objects alive, whatever other threads do to the list.
        let chunk: PyResult<Vec<Bound<'py, PyAny>>> = urls.by_ref().take(CHUNK_URLS).collect();
        let chunk = chunk?;
        if chunk.is_empty() {
            return PyList::new(py, objects);
        }
        py.check_signals()?;
        let bytes: PyResult<Vec<Option<Cow<'_, [u8]>>>> = chunk
            .iter()
            .map(|url| match bytes(url) {
                Err(_) if invalid == Invalid::IsNone && is_missing(url)? => Ok(None),
                read => read.map(Some),
            })
            .collect();
        let bytes = bytes?;
        let answered: Vec<Option<Result<T, RequestedUrlError>>> = py.detach(|| {
            let targets = bytes.iter().map(|url| Some(find(url.as_ref()?)));
            targets
                .map(|target| Some(target?.map(|target| answer(&target))))
                .collect()
        });
        for (answered, url) in answered.into_iter().zip(&bytes) {
            objects.push(match answered {
                Some(Ok(answered)) => object(answered)?,
                Some(Err(error)) if invalid == Invalid::Raises => {
                    let url = url.as_deref().unwrap_or_default();
                    return Err(target_error(py, &error, url, Some(objects.len())));
                }
                Some(Err(_)) | None => py.None().into_bound(py),
            });
        }
    }
}

/// Returns whether a value stands for a missing one: `None`, NaN, or `NA` and `NaT` of pandas.
fn is_missing(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let is_nan = value.cast::<PyFloat>().is_ok_and(|it| it.value().is_nan());
    let class = value.get_type().name()?;
    Ok(value.is_none() || is_nan || class == "NAType" || class == "NaTType")
}
