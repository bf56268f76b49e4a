//! Turns panics of the crate `parquet` into errors. Its assertions fail on malformed files.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a panic of this thread is about a malformed file and will become an error. A
/// panic hook need not print it.
#[must_use]
pub fn is_panic_caught() -> bool {
    IS_CATCHING.get()
}

/// Calls `read`. After an error, nothing that it used may be used again.
///
/// # Errors
///
/// Returns the message of the panic if `read` panics.
pub(super) fn caught<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    let was = IS_CATCHING.replace(true);
    let read = catch_unwind(AssertUnwindSafe(read));
    IS_CATCHING.set(was);
    read.map_err(|panic| format!("malformed: {}", words(&*panic)))
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("it cannot be read");
    // Some assertions print two values on extra lines.
    text.lines().next().unwrap_or(text)
}
