//! A panic becomes an exception.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

use crate::exception::internal_error;

/// What `call` returns; where it panics, a `verger.InternalError` that says so.
///
/// `PyO3`, too, stops panics at the border, but makes of them a `BaseException`, which `except Exception`
/// does not catch.
///
/// # Errors
///
/// Those of `call`, and `verger.InternalError`.
pub(crate) fn guarded<R>(py: Python<'_>, call: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    // Nothing that a panic could leave half done outlives it: what is wrapped never changes.
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

/// Panics, so that tests can see what comes of it.
#[pyfunction]
#[pyo3(name = "_panic")]
pub(crate) fn panic_now(py: Python<'_>, message: String) -> PyResult<()> {
    guarded(py, || panic!("{message}"))
}
