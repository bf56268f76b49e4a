//! Converts a panic to an exception.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

use crate::exception::internal_error;

/// Runs `call`, and converts a panic to a `verger.InternalError`.
///
/// `PyO3` also stops panics, but converts them to a `BaseException`, which `except Exception` does
/// not catch.
pub(crate) fn guarded<R>(py: Python<'_>, call: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    // Unwind safety: the wrapped values never change, so a panic cannot leave one half modified.
    catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|panic| Err(internal_error(py, message(panic.as_ref()))))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

/// Panic, for tests.
#[pyfunction]
#[pyo3(name = "_panic")]
pub(crate) fn panic_now(py: Python<'_>, message: String) -> PyResult<()> {
    guarded(py, || panic!("{message}"))
}
