//! Diagnostics of lines, and warnings about a file as a whole.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use verger::{LineNumber, RobotsTxt};
use verger_answer::{FileDiagnostic, FileWarning};

use crate::extension_values::tuple;
use crate::python_class::PythonClass;

static DIAGNOSTIC: PythonClass = PythonClass::value("Diagnostic");
static FILE_WARNING: PythonClass = PythonClass::value("FileWarning");

/// Returns notes about text that was ignored, truncated or read differently from how it is written,
/// in file order.
pub(crate) fn diagnostics<'py>(
    py: Python<'py>,
    robots: &RobotsTxt,
) -> PyResult<Bound<'py, PyTuple>> {
    tuple(py, FileDiagnostic::all_of(robots), |it| {
        let parts = (
            it.kind.as_str(),
            it.kind.to_string(),
            it.kind.clause().id(),
            it.line.map(LineNumber::get),
            it.span.start,
            it.span.end,
        );
        DIAGNOSTIC.make(py, parts)
    })
}

/// Returns warnings about the file as a whole, at most one of each kind.
pub(crate) fn warnings<'py>(py: Python<'py>, robots: &RobotsTxt) -> PyResult<Bound<'py, PyTuple>> {
    tuple(py, FileWarning::all_of(robots).iter(), |it| {
        let parts = (
            it.kind(),
            it.to_string(),
            it.clause().id(),
            it.line().map(LineNumber::get),
            it.count(),
        );
        FILE_WARNING.make(py, parts)
    })
}
