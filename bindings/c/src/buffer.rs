//! `verger_buffer`.

use std::ffi::c_char;
use std::ptr;

use crate::failure::{Failure, Problem};
use crate::guard::{guarded, quietly};
use crate::text::exclusive;

/// Text that belongs to the caller, who frees it with verger_buffer_free.
#[repr(C)]
#[derive(Debug)]
pub struct Buffer {
    /// The first byte. Null if there is nothing to free.
    pub data: *mut c_char,
    /// Number of bytes.
    pub len: usize,
}

impl Buffer {
    pub(crate) const EMPTY: Self = Self {
        data: ptr::null_mut(),
        len: 0,
    };

    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        if bytes.is_empty() {
            return Self::EMPTY;
        }
        let bytes = Box::leak(bytes.into_boxed_slice());
        Self {
            data: bytes.as_mut_ptr().cast(),
            len: bytes.len(),
        }
    }
}

/// Writes the text from `make` to `*buffer`. On failure, returns false and leaves it empty.
///
/// # Safety
///
/// Both pointers are null or valid for writes.
pub(crate) unsafe fn written(
    buffer: *mut Buffer,
    error: *mut Failure,
    make: impl FnOnce() -> Result<String, Problem>,
) -> bool {
    let write = || {
        // SAFETY: guaranteed by the caller.
        let place = unsafe { place_of(buffer) }?;
        *place = Buffer::of(make()?.into_bytes());
        Ok(true)
    };
    // SAFETY: guaranteed by the caller.
    unsafe { guarded(error, false, write) }
}

/// Empties `*buffer` and returns it.
///
/// # Safety
///
/// The pointer is null or valid for writes.
pub(crate) unsafe fn place_of<'a>(buffer: *mut Buffer) -> Result<&'a mut Buffer, Problem> {
    if !buffer.is_null() {
        // SAFETY: guaranteed by the caller. The old value may be uninitialized.
        unsafe { buffer.write(Buffer::EMPTY) };
    }
    // SAFETY: as above, and the value is initialized now.
    unsafe { exclusive(buffer) }
}

/// Frees the text and empties `*buffer`, so freeing it again is safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_buffer_free(buffer: *mut Buffer) {
    quietly(|| {
        // SAFETY: the contract. The function that filled it initialized it.
        let Some(buffer) = (unsafe { buffer.as_mut() }) else {
            return;
        };
        let Buffer { data, len } = std::mem::replace(buffer, Buffer::EMPTY);
        if !data.is_null() {
            let bytes = ptr::slice_from_raw_parts_mut(data.cast::<u8>(), len);
            // SAFETY: `Buffer::of` took both from a box, and the buffer is empty now.
            drop(unsafe { Box::from_raw(bytes) });
        }
    });
}
