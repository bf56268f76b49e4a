//! Converts headers from Python HTTP clients.

use http::{HeaderMap, HeaderName, HeaderValue};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::bytes::bytes;

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
