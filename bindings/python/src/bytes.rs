//! `str` and `bytes` as bytes, and bytes as `str`.
//!
//! A `str` is its UTF-8, in which the lone surrogates U+DC80 to U+DCFF are the bytes 80 to FF, as
//! everywhere in Python where `surrogateescape` says so (PEP 383). Bytes become a `str` in the same way, so
//! that none is lost.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

use crate::type_error::type_error;

const EXPECTED: &str = "str, bytes, bytearray or memoryview";

/// The bytes of a `str` or of something that holds bytes; those of `str` and `bytes` are not copied.
///
/// # Errors
///
/// `TypeError` for anything else; `UnicodeEncodeError` for a `str` with lone surrogates that are no
/// escaped bytes.
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
    // The method of `str` itself, whatever a subclass makes of it.
    let class = text.py().get_type::<PyString>();
    let bytes = class.call_method1("encode", (text, "utf-8", "surrogateescape"))?;
    Ok(Cow::Owned(bytes.cast::<PyBytes>()?.as_bytes().to_vec()))
}

/// The text of a name; bytes that are not UTF-8 are replaced by what no product token, and no name in
/// the registry, holds.
///
/// # Errors
///
/// As [`bytes`], and `TypeError` for what is no `str`.
pub(crate) fn name(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.cast::<PyString>().is_err() {
        return Err(type_error(value, "str"));
    }
    Ok(String::from_utf8_lossy(&bytes(value)?).into_owned())
}

/// The bytes as a `str`.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(PyString::new(py, text));
    }
    let bytes = PyBytes::new(py, bytes);
    PyString::from_encoded_object(&bytes, Some(c"utf-8"), Some(c"surrogateescape"))
}
