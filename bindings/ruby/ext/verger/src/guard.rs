//! A panic becomes an exception.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use magnus::{Error, Ruby};

use crate::exception::exception;

/// What `call` returns; where it panics, a `Verger::InternalError` that says so.
///
/// Magnus, too, stops panics at the border, but makes of them what no Ruby code can rescue.
///
/// # Errors
///
/// Those of `call`, and `Verger::InternalError`.
pub(crate) fn guarded<R>(ruby: &Ruby, call: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    // Nothing that a panic could leave half done outlives it: what is wrapped never changes.
    catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|panic| Err(exception(ruby, "InternalError", (message(panic.as_ref()),))))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}
