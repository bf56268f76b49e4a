//! Converts profile, authority and URL arguments.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use verger::{Reading, TargetPath};
use verger_access::{Authority, Profile, RequestedUrlError, requested_target};

use crate::access::exception::authority_error;
use crate::bytes::{bytes, name};
use crate::exception::target_error;
use crate::guard::guarded;
use crate::type_error::type_error;

/// Returns the profile with this name, or `rfc9309` by default.
pub(crate) fn profile(name: Option<&Bound<'_, PyAny>>) -> PyResult<Profile> {
    let Some(name) = name else {
        return Ok(Profile::RFC9309);
    };
    let Ok(text) = name.cast::<PyString>() else {
        return Err(type_error(name, "Profile or str"));
    };
    let profile = text.to_string_lossy().parse();
    profile.map_err(|error| PyValueError::new_err(format!("{error}")))
}

/// Returns the authority whose robots.txt applies to `url`.
pub(crate) fn authority_of(url: &Bound<'_, PyAny>) -> PyResult<Authority> {
    let authority = Authority::from_url(&name(url)?);
    authority.map_err(|error| authority_error(url.py(), &error))
}

/// Calls `read` with the target of `url` as a client sends it.
///
/// # Errors
///
/// Returns the errors of [`bytes`], `verger.TargetError` if `url` is neither an absolute URL nor a
/// path that starts with `/`, and `verger.access.AuthorityError` if its authority is not valid.
pub(crate) fn with_requested_target<R>(
    url: &Bound<'_, PyAny>,
    reading: Reading,
    read: impl FnOnce(&TargetPath<'_>) -> R,
) -> PyResult<R> {
    let bytes = bytes(url)?;
    match requested_target(&bytes, reading) {
        Ok(target) => Ok(read(&target)),
        Err(RequestedUrlError::Target(error)) => Err(target_error(url.py(), &error, &bytes, None)),
        Err(RequestedUrlError::Authority(_, error)) => Err(authority_error(url.py(), &error)),
    }
}

/// Return the authority whose robots.txt applies to a URL, such as `https://example.com`.
///
/// The URL must be written in full: `https:/a.example/x` and ` http://a.example/` have none, as in
/// `verger.columns.authority`. Raises `AuthorityError` and `TypeError`.
#[pyfunction]
#[pyo3(signature = (url, /))]
pub(crate) fn authority(py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<String> {
    guarded(py, || {
        // Its error says more about a URL without any authority.
        authority_of(url)?;
        let authority = verger_inputs::rulebook::authority_of(name(url)?.as_bytes());
        authority.map_err(|error| authority_error(py, &error))
    })
}
