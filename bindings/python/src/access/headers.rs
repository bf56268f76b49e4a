//! Converts headers and encoded bodies from Python HTTP clients.

use http::header::CONTENT_ENCODING;
use http::{HeaderMap, HeaderName, HeaderValue};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use verger_access::{BODY_BYTES_WANTED, BodyEnd};
use verger_client::decoded_body;

use crate::bytes::bytes;
use crate::detached::detached;
use crate::guard::guarded;

/// Converts headers from a mapping or from pairs. Names and values are `str` or bytes, and a value
/// may be a list of values.
///
/// Servers send anything, so invalid headers are skipped, and so are those beyond the capacity of a
/// `HeaderMap`.
pub(crate) fn headers(given: &Bound<'_, PyAny>) -> PyResult<HeaderMap> {
    let pairs = if given.hasattr("items")? {
        given.call_method0("items")?
    } else {
        given.clone()
    };
    let mut headers = HeaderMap::new();
    for pair in pairs.try_iter()? {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
        let Ok(name) = HeaderName::from_bytes(&bytes(&name)?) else {
            continue;
        };
        if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
            for value in value.try_iter()? {
                append(&mut headers, &name, &value?)?;
            }
        } else {
            append(&mut headers, &name, &value)?;
        }
    }
    Ok(headers)
}

fn append(headers: &mut HeaderMap, name: &HeaderName, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(value) = HeaderValue::from_bytes(&bytes(value)?) {
        // Appending fails only if the map is full.
        let _ = headers.try_append(name, value);
    }
    Ok(())
}

/// Undo the codings that `Content-Encoding` fields name, and return the bytes that are used, and
/// whether they are the whole body. Raises `ValueError` if the body cannot be decoded.
#[pyfunction]
#[pyo3(name = "_decoded")]
pub(crate) fn decoded<'py>(
    py: Python<'py>,
    codings: &Bound<'py, PyAny>,
    body: &Bound<'py, PyAny>,
    whole: bool,
) -> PyResult<(Bound<'py, PyBytes>, bool)> {
    guarded(py, || {
        let (mut headers, body) = (HeaderMap::new(), bytes(body)?.into_owned());
        for value in codings.try_iter()? {
            append(&mut headers, &CONTENT_ENCODING, &value?)?;
        }
        let end = if whole {
            BodyEnd::Whole
        } else {
            BodyEnd::CutAtLimit
        };
        let decoded = detached(py, body.len(), || {
            decoded_body(&headers, body, end, BODY_BYTES_WANTED)
        });
        let (body, end) = decoded.map_err(|error| {
            PyValueError::new_err(format!("the body cannot be decoded: {error}"))
        })?;
        Ok((PyBytes::new(py, &body), end == BodyEnd::Whole))
    })
}
