//! The threads that clients fetch with: one set a process, which the Python side makes and ends.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle};

use crate::guard::guarded;

/// How long the end of the interpreter waits for calls that do not return, such as a name server's.
const END_MAX: Duration = Duration::from_secs(2);

/// A Tokio runtime.
#[pyclass(frozen, module = "verger._verger", name = "_Runtime")]
pub(crate) struct Runtime {
    handle: Handle,
    /// `None` once it ends.
    runtime: Mutex<Option<tokio::runtime::Runtime>>,
}

impl Runtime {
    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }
}

#[pymethods]
impl Runtime {
    #[new]
    fn new(py: Python<'_>) -> PyResult<Self> {
        guarded(py, || {
            let runtime = Builder::new_multi_thread()
                .worker_threads(2)
                .thread_name("verger-client")
                .enable_all()
                .build()
                .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            Ok(Self {
                handle: runtime.handle().clone(),
                runtime: Mutex::new(Some(runtime)),
            })
        })
    }

    /// Ends the threads. Other threads of Python run meanwhile, so that what is about to call Python can.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        guarded(py, || {
            let runtime = self
                .runtime
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            if let Some(runtime) = runtime {
                py.detach(|| runtime.shutdown_timeout(END_MAX));
            }
            Ok(())
        })
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        let runtime = self.runtime.get_mut();
        if let Some(runtime) = runtime.unwrap_or_else(PoisonError::into_inner).take() {
            runtime.shutdown_background();
        }
    }
}
