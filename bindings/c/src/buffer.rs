//! `verger_buffer`.

use std::ffi::c_char;
use std::ptr;

use crate::failure::{Failure, Problem};
use crate::guard::{guarded, quietly};
use crate::text::exclusive;

/// A text that belongs to the caller, who frees it with verger_buffer_free.
#[repr(C)]
#[derive(Debug)]
pub struct Buffer {
    /// The first byte; null where there is nothing to free.
    pub data: *mut c_char,
    /// How many bytes there are.
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

/// Puts the text that `make` makes where a pointer says; false, and an empty one, where it fails.
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
        // SAFETY: the caller vouches for it.
        let place = unsafe { place_of(buffer) }?;
        *place = Buffer::of(make()?.into_bytes());
        Ok(true)
    };
    // SAFETY: the caller vouches for `error`.
    unsafe { guarded(error, false, write) }
}

/// The place for a text that goes out, empty for now.
///
/// # Safety
///
/// The pointer is null or valid for writes.
pub(crate) unsafe fn place_of<'a>(buffer: *mut Buffer) -> Result<&'a mut Buffer, Problem> {
    if !buffer.is_null() {
        // SAFETY: the caller vouches for it. What it held before may be uninitialised.
        unsafe { buffer.write(Buffer::EMPTY) };
    }
    // SAFETY: as above, and it is initialised now.
    unsafe { exclusive(buffer) }
}

/// Frees a text, and leaves `*buffer` empty, so that it may be freed twice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_buffer_free(buffer: *mut Buffer) {
    quietly(|| {
        // SAFETY: the contract; what it names was initialised by the function that filled it.
        let Some(buffer) = (unsafe { buffer.as_mut() }) else {
            return;
        };
        let Buffer { data, len } = std::mem::replace(buffer, Buffer::EMPTY);
        if !data.is_null() {
            let bytes = ptr::slice_from_raw_parts_mut(data.cast::<u8>(), len);
            // SAFETY: `Buffer::of` made both out of a box, and the place is empty from now on.
            drop(unsafe { Box::from_raw(bytes) });
        }
    });
}
