//! Exceptions of `verger.access`, which `python/verger/_access_errors.py` defines.

use pyo3::prelude::*;
use verger_client::ClientError;

use crate::exception::target_error;
use crate::python_class::PythonClass;

static AUTHORITY: PythonClass = PythonClass::new("verger._access_errors", "AuthorityError");
static CLIENT: PythonClass = PythonClass::new("verger._access_errors", "ClientError");
static STORE: PythonClass = PythonClass::new("verger._access_errors", "StoreError");

fn exception(py: Python<'_>, class: &PythonClass, message: &str) -> PyErr {
    let exception = class.make(py, (message,));
    exception.map_or_else(|error| error, PyErr::from_value)
}

/// Creates a `verger.access.AuthorityError`, because no robots.txt applies to a URL.
pub(crate) fn authority_error(py: Python<'_>, error: &dyn std::error::Error) -> PyErr {
    exception(py, &AUTHORITY, &error.to_string())
}

pub(crate) fn store_error(py: Python<'_>, error: &dyn std::error::Error) -> PyErr {
    store_message(py, &error.to_string())
}

pub(crate) fn store_message(py: Python<'_>, message: &str) -> PyErr {
    exception(py, &STORE, message)
}

pub(crate) fn client_message(py: Python<'_>, message: &str) -> PyErr {
    exception(py, &CLIENT, message)
}

pub(crate) fn client_error(py: Python<'_>, error: &ClientError, url: &str) -> PyErr {
    match error {
        ClientError::Authority(error) => authority_error(py, error),
        ClientError::Target(error) => target_error(py, error, url.as_bytes(), None),
        error => client_message(py, &error.to_string()),
    }
}
