//! Cached references to classes of the Python side.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

pub(crate) struct PythonClass {
    module: &'static str,
    name: &'static str,
    class: PyOnceLock<Py<PyType>>,
}

impl PythonClass {
    pub(crate) const fn new(module: &'static str, name: &'static str) -> Self {
        Self {
            module,
            name,
            class: PyOnceLock::new(),
        }
    }

    /// Names a class of `verger._values`.
    pub(crate) const fn value(name: &'static str) -> Self {
        Self::new("verger._values", name)
    }

    pub(crate) fn class<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyType>> {
        self.class.import(py, self.module, self.name)
    }

    pub(crate) fn make<'py>(
        &self,
        py: Python<'py>,
        arguments: impl PyCallArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.class(py)?.call1(arguments)
    }
}
