//! `StreamIn`: a stream that another package writes.
//!
//! It calls the C stream interface directly, and converts any failure to an error with a message.
//! The reader of `arrow-array` panics if a producer fails without a message, and it only reads
//! tables.
#![allow(unsafe_code)]

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_data::ArrayData;
use arrow_schema::Field;

use crate::arrow::checked::{data_of, field_of};

/// A stream of arrays of one type.
pub(crate) struct StreamIn {
    stream: FFI_ArrowArrayStream,
    field: Field,
    /// Why it ended early, if it did.
    failure: Option<String>,
}

impl StreamIn {
    /// Opens a stream and reads its type.
    ///
    /// # Errors
    ///
    /// Returns an error if it has already been read, or if its type is not supported.
    pub(crate) fn open(mut stream: FFI_ArrowArrayStream) -> Result<Self, String> {
        let (Some(get_schema), Some(_)) = (stream.get_schema, stream.get_next) else {
            return Err("the Arrow stream has already been read".to_owned());
        };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released, because its functions are present, and `schema` is
        // writable.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return Err(last_error(&mut stream, code));
        }
        let field = field_of(&schema)?;
        Ok(Self {
            stream,
            field,
            failure: None,
        })
    }

    pub(crate) fn field(&self) -> &Field {
        &self.field
    }

    /// Returns the next array, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns the error of the producer, and the same error on each later call.
    pub(crate) fn next(&mut self) -> Result<Option<ArrayData>, String> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let next = self.read();
        if let Err(failure) = &next {
            self.failure = Some(failure.clone());
        }
        next
    }

    fn read(&mut self) -> Result<Option<ArrayData>, String> {
        let Some(get_next) = self.stream.get_next else {
            return Ok(None);
        };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released, no other thread has it, and `array` is writable.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            return Err(last_error(&mut self.stream, code));
        }
        if array.is_released() {
            return Ok(None);
        }
        // SAFETY: the producer guarantees that the array has the type it declared.
        unsafe { data_of(array, self.field.data_type()) }.map(Some)
    }
}

/// Returns the producer's message about its last failure.
fn last_error(stream: &mut FFI_ArrowArrayStream, code: i32) -> String {
    let message = stream.get_last_error.map(|get_last_error| {
        // SAFETY: the stream is not released, and its last call has failed.
        unsafe { get_last_error(std::ptr::from_mut(stream)) }
    });
    match message {
        Some(message) if !message.is_null() => {
            // SAFETY: the producer keeps the NUL-terminated text until it is called again.
            unsafe { CStr::from_ptr(message) }
                .to_string_lossy()
                .into_owned()
        }
        _ => format!("the Arrow stream failed with error {code}"),
    }
}
