//! Converts `str` and `bytes` to bytes, and bytes to `str`.
//!
//! A `str` becomes UTF-8. Its lone surrogates U+DC80 to U+DCFF become the bytes 80 to FF, as with
//! `surrogateescape` (PEP 383). Bytes become a `str` in the same way, so no byte is lost.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

use crate::type_error::type_error;

const EXPECTED: &str = "str, bytes, bytearray or memoryview";

/// Returns the bytes of a `str` or of a bytes-like object. `str` and `bytes` are not copied.
///
/// # Errors
///
/// Returns `TypeError` for other types, and `UnicodeEncodeError` for a `str` with lone surrogates
/// that are not escaped bytes.
pub(crate) fn bytes<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = value.cast::<PyString>() {
        return encoded(text);
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Cow::Borrowed(bytes.as_bytes()));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(Cow::Owned(bytes.to_vec()));
    }
    if value.cast::<PyMemoryView>().is_ok() {
        let bytes = value.call_method0("tobytes")?;
        return Ok(Cow::Owned(bytes.cast::<PyBytes>()?.as_bytes().to_vec()));
    }
    Err(type_error(value, EXPECTED))
}

fn encoded<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(utf8) = text.to_str() {
        return Ok(Cow::Borrowed(utf8.as_bytes()));
    }
    // Call the method of `str` itself, because a subclass may override it.
    let class = text.py().get_type::<PyString>();
    let bytes = class.call_method1("encode", (text, "utf-8", "surrogateescape"))?;
    Ok(Cow::Owned(bytes.cast::<PyBytes>()?.as_bytes().to_vec()))
}

/// Returns the text of a name. Bytes that are not UTF-8 are replaced by a character that occurs in
/// no product token and in no name of the registry.
pub(crate) fn name(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.cast::<PyString>().is_err() {
        return Err(type_error(value, "str"));
    }
    Ok(String::from_utf8_lossy(&bytes(value)?).into_owned())
}

pub(crate) fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(PyString::new(py, text));
    }
    let bytes = PyBytes::new(py, bytes);
    PyString::from_encoded_object(&bytes, Some(c"utf-8"), Some(c"surrogateescape"))
}
