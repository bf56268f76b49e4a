//! Classes of the Python side, looked up once.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// A class of one of the package's modules.
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

    /// A class of `verger._values`.
    pub(crate) const fn value(name: &'static str) -> Self {
        Self::new("verger._values", name)
    }

    /// The class itself.
    ///
    /// # Errors
    ///
    /// Where the package is not whole.
    pub(crate) fn class<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyType>> {
        self.class.import(py, self.module, self.name)
    }

    /// An object of the class.
    ///
    /// # Errors
    ///
    /// What the class raises.
    pub(crate) fn make<'py>(
        &self,
        py: Python<'py>,
        arguments: impl PyCallArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.class(py)?.call1(arguments)
    }
}
