//! A stream that another package reads, on any thread, with or without the global lock.
//!
//! `arrow-array` only creates streams of tables, and a panic in a stream would end the process.
#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_data::ArrayData;
use arrow_schema::Field;

pub(crate) trait Arrays: Send {
    /// Returns the next array, or `None` at the end.
    fn next_array(&mut self) -> Result<Option<ArrayData>, String>;
}

/// `EINVAL`, which has this value on every system that Python supports.
const INVALID: c_int = 22;

struct Exported {
    arrays: Box<dyn Arrays>,
    field: Field,
    last_error: Option<CString>,
}

/// Creates a stream of `arrays`, each of type `field`.
pub(crate) fn stream_of(arrays: Box<dyn Arrays>, field: Field) -> FFI_ArrowArrayStream {
    let exported = Box::new(Exported {
        arrays,
        field,
        last_error: None,
    });
    FFI_ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(exported).cast::<c_void>(),
    }
}

impl Exported {
    /// Runs `make` and returns its value, or records its error and returns an error code.
    fn call<T>(&mut self, make: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, c_int> {
        let result = catch_unwind(AssertUnwindSafe(|| make(self)));
        let result = result.unwrap_or_else(|_| Err("internal error: verger panicked".to_owned()));
        result.map_err(|message| {
            // A NUL would end the text.
            let message = message.replace('\0', "\u{FFFD}");
            self.last_error = CString::new(message).ok();
            INVALID
        })
    }
}

/// # Safety
///
/// `stream` was created by [`stream_of`], is not released, and is not used by another thread.
unsafe fn exported<'s>(stream: *mut FFI_ArrowArrayStream) -> &'s mut Exported {
    // SAFETY: the private data was stored by `stream_of`, and is valid until the stream is
    // released.
    unsafe { &mut *(*stream).private_data.cast::<Exported>() }
}

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    // SAFETY: guaranteed by the caller, as the C stream interface requires.
    let exported = unsafe { exported(stream) };
    let schema =
        exported.call(|it| FFI_ArrowSchema::try_from(&it.field).map_err(|error| error.to_string()));
    match schema {
        Ok(schema) => {
            // SAFETY: the caller provides memory for a schema, with any contents.
            unsafe { out.write(schema) };
            0
        }
        Err(code) => code,
    }
}

unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: guaranteed by the caller, as the C stream interface requires.
    let exported = unsafe { exported(stream) };
    let array = exported.call(|it| {
        let array = it.arrays.next_array()?;
        Ok(array.map_or_else(FFI_ArrowArray::empty, |data| FFI_ArrowArray::new(&data)))
    });
    match array {
        Ok(array) => {
            // SAFETY: the caller provides memory for an array, with any contents.
            unsafe { out.write(array) };
            0
        }
        Err(code) => code,
    }
}

unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: guaranteed by the caller, as the C stream interface requires.
    let exported = unsafe { exported(stream) };
    exported
        .last_error
        .as_ref()
        .map_or(std::ptr::null(), |message| message.as_ptr())
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the caller releases a stream once. Its private data was stored by `stream_of`.
    let exported = unsafe {
        let stream = &mut *stream;
        stream.get_schema = None;
        stream.get_next = None;
        stream.get_last_error = None;
        stream.release = None;
        Box::from_raw(stream.private_data.cast::<Exported>())
    };
    // Dropping runs release callbacks of other packages, which may panic.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(exported)));
}
