//! A panic becomes an error.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::failure::{Failure, Problem, report};
use crate::status::Status;

/// What `call` returns; `otherwise` where it fails or panics, and `error` says what came of it.
///
/// # Safety
///
/// `error` is null or valid for writes.
pub(crate) unsafe fn guarded<R>(
    error: *mut Failure,
    otherwise: R,
    call: impl FnOnce() -> Result<R, Problem>,
) -> R {
    // Nothing that a panic could leave half done outlives it: objects never change, and a cursor
    // that panicked is only ever asked for its next item.
    let outcome = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let message = message(panic.as_ref()).to_owned();
        // The destructor of what was thrown may throw as well.
        std::mem::forget(panic);
        Err(Problem::new(Status::Internal, message))
    });
    match outcome {
        Ok(result) => {
            // SAFETY: the caller vouches for `error`.
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

/// As [`guarded`], for a function whose result says what came of it.
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
    // SAFETY: the caller vouches for `error`.
    let result = unsafe { guarded(error, None, || call().map(Some).map_err(keep)) };
    result.unwrap_or_else(|| failed(failure))
}

/// As [`guarded_as`], where the result is a status.
///
/// # Safety
///
/// As [`guarded`].
pub(crate) unsafe fn status_of(
    error: *mut Failure,
    call: impl FnOnce() -> Result<Status, Problem>,
) -> Status {
    // SAFETY: the caller vouches for `error`.
    unsafe { guarded_as(error, |status| status, call) }
}

/// As [`guarded`], for what cannot fail and has no place to say so: freeing.
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
