//! The threads that clients fetch with. Each process has one set, which the Python side creates and
//! ends.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle};

use crate::guard::guarded;

/// How long the interpreter waits at exit for calls that do not return, such as DNS lookups.
const END_MAX: Duration = Duration::from_secs(2);

/// A Tokio runtime.
#[pyclass(frozen, module = "verger._verger", name = "_Runtime")]
pub(crate) struct Runtime {
    handle: Handle,
    /// `None` once it is shutting down.
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

    /// End the threads. Releases the global lock, so pending calls into Python can finish.
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
