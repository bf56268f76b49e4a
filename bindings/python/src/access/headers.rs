//! Headers out of what HTTP clients of Python return.

use http::{HeaderMap, HeaderName, HeaderValue};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::bytes::bytes;

/// The headers of a mapping or of pairs, names and values as `str` or bytes; a value may be a list of
/// values. What is no header, since servers send anything, is left out, and so are those past the most
/// that fit.
///
/// # Errors
///
/// `TypeError` where it is neither.
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
        // It fails only where the map is full.
        let _ = headers.try_append(name, value);
    }
    Ok(())
}
