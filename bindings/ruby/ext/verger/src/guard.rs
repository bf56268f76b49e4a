//! Converts a panic to an exception.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use magnus::{Error, Ruby};

use crate::exception::exception;

/// Runs `call`, and converts a panic to a `Verger::InternalError`.
///
/// Magnus also stops panics, but converts them to an exception that Ruby code cannot rescue.
pub(crate) fn guarded<R>(ruby: &Ruby, call: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    // Unwind safety: the wrapped values never change, so a panic cannot leave one half modified.
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
