//! Converts panics to errors.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::failure::{Failure, Problem, report};
use crate::status::Status;

/// Runs `call` and returns its result, or `otherwise` if it fails or panics. Reports the outcome to
/// `error`.
///
/// # Safety
///
/// `error` is null or valid for writes.
pub(crate) unsafe fn guarded<R>(
    error: *mut Failure,
    otherwise: R,
    call: impl FnOnce() -> Result<R, Problem>,
) -> R {
    // No half-finished state outlives a panic: objects are immutable, and a cursor that panicked
    // can only be advanced.
    let outcome = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let message = message(panic.as_ref()).to_owned();
        // Dropping the payload might panic again.
        std::mem::forget(panic);
        Err(Problem::new(Status::Internal, message))
    });
    match outcome {
        Ok(result) => {
            // SAFETY: guaranteed by the caller.
            unsafe { report(error, Status::Ok, "") };
            result
        }
        Err(problem) => {
            // SAFETY: as above.
            unsafe { report(error, problem.status, &problem.message) };
            otherwise
        }
    }
}

/// Like [`guarded`], for a result that contains the status.
///
/// # Safety
///
/// As [`guarded`].
pub(crate) unsafe fn guarded_as<R>(
    error: *mut Failure,
    failed: impl FnOnce(Status) -> R,
    call: impl FnOnce() -> Result<R, Problem>,
) -> R {
    let mut failure = Status::Internal;
    let keep = |problem: Problem| {
        failure = problem.status;
        problem
    };
    // SAFETY: guaranteed by the caller.
    let result = unsafe { guarded(error, None, || call().map(Some).map_err(keep)) };
    result.unwrap_or_else(|| failed(failure))
}

/// Like [`guarded_as`], for a status.
///
/// # Safety
///
/// As [`guarded`].
pub(crate) unsafe fn status_of(
    error: *mut Failure,
    call: impl FnOnce() -> Result<Status, Problem>,
) -> Status {
    // SAFETY: guaranteed by the caller.
    unsafe { guarded_as(error, |status| status, call) }
}

/// Like [`guarded`], for freeing, which cannot fail or report.
pub(crate) fn quietly(call: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(call)) {
        std::mem::forget(panic);
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::VERGER_MESSAGE_SIZE;
    use std::ffi::CStr;

    fn empty() -> Failure {
        Failure {
            status: Status::Ok,
            message: [0; VERGER_MESSAGE_SIZE],
        }
    }

    fn text(error: &Failure) -> &str {
        // SAFETY: `report` ends it with NUL.
        let text = unsafe { CStr::from_ptr(error.message.as_ptr()) };
        text.to_str().unwrap()
    }

    #[test]
    fn a_panic_is_an_internal_error_and_the_next_call_succeeds() {
        let mut error = empty();
        // SAFETY: `error` is a local, here and below.
        let answer = unsafe { guarded(&raw mut error, 7, || panic!("as asked: {}", 1)) };
        assert_eq!((answer, error.status), (7, Status::Internal));
        assert_eq!(text(&error), "as asked: 1");
        // SAFETY: see above.
        let answer = unsafe { guarded(&raw mut error, 7, || Ok(8)) };
        assert_eq!((answer, error.status, text(&error)), (8, Status::Ok, ""));
        // SAFETY: null is allowed.
        let answer = unsafe { guarded(std::ptr::null_mut(), 7, || panic!("not seen")) };
        assert_eq!(answer, 7);
        quietly(|| panic!("not seen"));
    }
}
