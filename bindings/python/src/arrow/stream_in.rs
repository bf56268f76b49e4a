//! `StreamIn`: a stream that another package fills.
//!
//! It calls what the C stream interface says, and takes whatever comes back of it for an error that has a
//! message: the reader of `arrow-array` panics where a producer fails without one, and reads tables alone.
#![allow(unsafe_code)]

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_data::ArrayData;
use arrow_schema::Field;

use crate::arrow::checked::{data_of, field_of};

/// Arrays of one type, as they come.
pub(crate) struct StreamIn {
    stream: FFI_ArrowArrayStream,
    field: Field,
    /// Why it ended early, where it did.
    failure: Option<String>,
}

impl StreamIn {
    /// Asks the stream for its type.
    ///
    /// # Errors
    ///
    /// Where it was read before, or says none that is known here.
    pub(crate) fn open(mut stream: FFI_ArrowArrayStream) -> Result<Self, String> {
        let (Some(get_schema), Some(_)) = (stream.get_schema, stream.get_next) else {
            return Err("the Arrow stream has been read already".to_owned());
        };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released, since its functions are there, and `schema` can be written.
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

    /// The name and the type of all arrays.
    pub(crate) fn field(&self) -> &Field {
        &self.field
    }

    /// The next array; `None` at the end.
    ///
    /// # Errors
    ///
    /// What the producer says; then the same again.
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
        // SAFETY: the stream is not released, no other thread has it, and `array` can be written.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            return Err(last_error(&mut self.stream, code));
        }
        if array.is_released() {
            return Ok(None);
        }
        // SAFETY: the producer vouches that the array is of the type that it has said.
        unsafe { data_of(array, self.field.data_type()) }.map(Some)
    }
}

/// What the producer says about its last failure.
fn last_error(stream: &mut FFI_ArrowArrayStream, code: i32) -> String {
    let message = stream.get_last_error.map(|get_last_error| {
        // SAFETY: the stream is not released, and its last call has failed.
        unsafe { get_last_error(std::ptr::from_mut(stream)) }
    });
    match message {
        Some(message) if !message.is_null() => {
            // SAFETY: the producer keeps the text, which ends with a zero, until it is called again.
            unsafe { CStr::from_ptr(message) }
                .to_string_lossy()
                .into_owned()
        }
        _ => format!("the Arrow stream failed with error {code}"),
    }
}
