//! Exceptions of the package, which `python/verger/_errors.py` defines.

use std::fmt::Display;

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use verger::ProductTokenError;

use crate::bytes::text;
use crate::python_class::PythonClass;

static INTERNAL: PythonClass = PythonClass::new("verger._errors", "InternalError");
static TOKEN: PythonClass = PythonClass::new("verger._errors", "ProductTokenError");
static TARGET: PythonClass = PythonClass::new("verger._errors", "TargetError");
static UNKNOWN_CRAWLER: PythonClass = PythonClass::new("verger._errors", "UnknownCrawlerError");

fn exception<'py>(py: Python<'py>, class: &PythonClass, arguments: impl PyCallArgs<'py>) -> PyErr {
    let exception = class.make(py, arguments);
    exception.map_or_else(|error| error, PyErr::from_value)
}

pub(crate) fn internal_error(py: Python<'_>, message: &str) -> PyErr {
    exception(py, &INTERNAL, (message,))
}

pub(crate) fn token_error(py: Python<'_>, error: &ProductTokenError) -> PyErr {
    let arguments = (error.to_string(), error.text(), error.likely());
    exception(py, &TOKEN, arguments)
}

/// Creates a `verger.TargetError` for a URL that cannot be checked. `index` is its index in a
/// batch.
pub(crate) fn target_error(
    py: Python<'_>,
    error: &impl Display,
    url: &[u8],
    index: Option<usize>,
) -> PyErr {
    match text(py, url) {
        Ok(url) => exception(py, &TARGET, (error.to_string(), url, index)),
        Err(error) => error,
    }
}

pub(crate) fn unknown_crawler(py: Python<'_>, name: &str, suggestions: Vec<&str>) -> PyErr {
    exception(py, &UNKNOWN_CRAWLER, (name, suggestions))
}
