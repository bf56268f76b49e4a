//! The `TypeError` for arguments of the wrong type.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Creates a `TypeError` for a value that does not have an `expected` type.
pub(crate) fn type_error(value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let class: Bound<'_, PyType> = value.get_type();
    let name = class
        .name()
        .map_or_else(|_| "another type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, not {name}"))
}
