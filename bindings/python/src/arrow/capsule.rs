//! Objects with `__arrow_c_array__` or `__arrow_c_stream__`, and capsules for others.
#![allow(unsafe_code)]

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_data::ArrayData;
use arrow_schema::Field;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::checked::{data_of, field_of};
use crate::arrow::stream_in::StreamIn;
use crate::arrow::stream_out::{Arrays, stream_of};
use crate::type_error::type_error;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

const EXPECTED: &str = "a column or a table that provides Arrow data (__arrow_c_stream__ or \
                        __arrow_c_array__), such as those of pyarrow, Polars and DuckDB";

pub(crate) enum Opened {
    /// One array in memory.
    Array(ArrayData, Field),
    /// A stream of arrays.
    Stream(StreamIn),
}

impl Opened {
    pub(crate) fn field(&self) -> &Field {
        match self {
            Self::Array(_, field) => field,
            Self::Stream(stream) => stream.field(),
        }
    }
}

/// Opens the Arrow data of `object` to be read once.
///
/// # Errors
///
/// Returns `TypeError` if `object` has no Arrow data, `ValueError` if its type is not supported or
/// it has already been read, and the exceptions of the object itself.
pub(crate) fn open(object: &Bound<'_, PyAny>) -> PyResult<Opened> {
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = capsules.extract()?;
        let schema = capsule(&schema)?.pointer_checked(Some(SCHEMA))?;
        let array = capsule(&array)?.pointer_checked(Some(ARRAY))?;
        // SAFETY: a capsule with this name contains a schema, and lives until this function
        // returns.
        let field = field_of(unsafe { schema.cast::<FFI_ArrowSchema>().as_ref() });
        let field = field.map_err(|message| value_error(&message))?;
        // SAFETY: a capsule with this name contains an array, which is moved out of it.
        let array = unsafe { FFI_ArrowArray::from_raw(array.cast::<FFI_ArrowArray>().as_ptr()) };
        if array.is_released() {
            return Err(value_error("the Arrow array has already been read"));
        }
        // SAFETY: the producer guarantees that the array has the type it declared.
        let data = unsafe { data_of(array, field.data_type()) };
        let data = data.map_err(|message| value_error(&message))?;
        return Ok(Opened::Array(data, field));
    }
    if object.hasattr("__arrow_c_stream__")? {
        let stream = object.call_method0("__arrow_c_stream__")?;
        let stream = capsule(&stream)?.pointer_checked(Some(STREAM))?;
        // SAFETY: a capsule with this name contains a stream, which is moved out of it.
        let stream = unsafe {
            FFI_ArrowArrayStream::from_raw(stream.cast::<FFI_ArrowArrayStream>().as_ptr())
        };
        let stream = StreamIn::open(stream).map_err(|message| value_error(&message))?;
        return Ok(Opened::Stream(stream));
    }
    Err(type_error(object, EXPECTED))
}

fn capsule<'a, 'py>(object: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyCapsule>> {
    let capsule = object.cast::<PyCapsule>();
    capsule.map_err(|_| type_error(object, "a capsule with Arrow data"))
}

fn value_error(message: &str) -> PyErr {
    PyValueError::new_err(message.to_owned())
}

/// Creates a capsule with a stream of `arrays`, each of type `field`.
pub(crate) fn stream_capsule(
    py: Python<'_>,
    arrays: Box<dyn Arrays>,
    field: Field,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, stream_of(arrays, field), STREAM)
}

pub(crate) fn schema_capsule<'py>(
    py: Python<'py>,
    field: &Field,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field);
    let schema = schema.map_err(|error| value_error(&error.to_string()))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}
