//! `verger_error`.

use std::ffi::c_char;

use crate::status::Status;

/// Size of a message in bytes, including the final NUL.
pub const VERGER_MESSAGE_SIZE: usize = 256;

/// The outcome of the last call that it was passed to. It belongs to the caller, and contains no
/// pointers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// The status.
    pub status: Status,
    /// NUL-terminated UTF-8, truncated if longer, empty on success. NUL in a quoted text is written
    /// `\x00`.
    pub message: [c_char; VERGER_MESSAGE_SIZE],
}

/// An error before it reaches the caller.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: Status,
    pub(crate) message: String,
}

impl Problem {
    #[expect(clippy::needless_pass_by_value, reason = "errors and texts alike")]
    pub(crate) fn new(status: Status, message: impl ToString) -> Self {
        Self {
            status,
            message: message.to_string(),
        }
    }
}

/// Writes the outcome of a call to `*error`.
///
/// # Safety
///
/// `error` is null or valid for writes.
pub(crate) unsafe fn report(error: *mut Failure, status: Status, message: &str) {
    if error.is_null() {
        return;
    }
    let message = message.replace('\0', "\\x00");
    let mut end = message.len().min(VERGER_MESSAGE_SIZE - 1);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    // SAFETY: guaranteed by the caller. The bytes may be uninitialized, so this writes both fields
    // without creating a reference.
    unsafe {
        (&raw mut (*error).status).write(status);
        let text = (&raw mut (*error).message).cast::<u8>();
        text.copy_from_nonoverlapping(message.as_ptr(), end);
        text.add(end).write(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn reported(message: &str) -> String {
        let mut error = Failure {
            status: Status::Ok,
            message: [b'x'.cast_signed(); VERGER_MESSAGE_SIZE],
        };
        // SAFETY: it is a local.
        unsafe { report(&raw mut error, Status::Internal, message) };
        assert_eq!(error.status, Status::Internal);
        // SAFETY: `report` ends it with NUL.
        let text = unsafe { CStr::from_ptr(error.message.as_ptr()) };
        text.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_message_is_cut_between_characters_and_ends() {
        assert_eq!(reported("short"), "short");
        assert_eq!(reported("`a\0b` is no URL"), "`a\\x00b` is no URL");
        let long = "é".repeat(200);
        assert_eq!(reported(&long), "é".repeat(127));
        let fits = "x".repeat(255);
        assert_eq!(reported(&fits), fits);
        assert_eq!(reported(&"x".repeat(256)), fits);
    }
}
