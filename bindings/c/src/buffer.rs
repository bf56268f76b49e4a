//! `verger_buffer`.

use std::ffi::c_char;
use std::ptr;

use crate::guard::quietly;

/// A text that belongs to the caller, who frees it with verger_buffer_free.
#[repr(C)]
#[derive(Debug)]
pub struct Buffer {
    /// The first octet; null where there is nothing to free.
    pub data: *mut c_char,
    /// How many octets there are.
    pub len: usize,
}

impl Buffer {
    pub(crate) const EMPTY: Self = Self {
        data: ptr::null_mut(),
        len: 0,
    };

    pub(crate) fn of(octets: Vec<u8>) -> Self {
        if octets.is_empty() {
            return Self::EMPTY;
        }
        let octets = Box::leak(octets.into_boxed_slice());
        Self {
            data: octets.as_mut_ptr().cast(),
            len: octets.len(),
        }
    }
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
            let octets = ptr::slice_from_raw_parts_mut(data.cast::<u8>(), len);
            // SAFETY: `Buffer::of` made both out of a box, and the place is empty from now on.
            drop(unsafe { Box::from_raw(octets) });
        }
    });
}
