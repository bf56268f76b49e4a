//! `verger.columns.Captures`: a WARC file as a stream of captures.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use arrow_array::{Array, StructArray};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use verger_bulk::{CaptureReader, CaptureSettings, capture_schema};

use crate::arrow::capsule::{schema_capsule, stream_capsule};
use crate::arrow::stream_out::Arrays;
use crate::guard::guarded;
use crate::type_error::type_error;

/// Captures of robots.txt that another package can read once as Arrow data.
#[pyclass(frozen, module = "verger.columns")]
pub(crate) struct Captures {
    name: String,
    reader: Mutex<Option<Box<CaptureReader<Input>>>>,
}

enum Input {
    File(File),
    /// An object with a method `read`.
    Object(Py<PyAny>),
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Object(object) => Python::attach(|py| {
                let read = object.call_method1(py, "read", (buffer.len(),))?;
                let bytes = read.bind(py).cast::<PyBytes>().map_err(|_| {
                    io::Error::other("`read` did not return bytes: open the file in binary mode")
                })?;
                let bytes = bytes.as_bytes();
                let Some(start) = buffer.get_mut(..bytes.len()) else {
                    let message = "`read` returned more bytes than requested";
                    return Err(io::Error::other(message));
                };
                start.copy_from_slice(bytes);
                Ok(bytes.len())
            }),
        }
    }
}

struct Batches(Box<CaptureReader<Input>>);

impl Arrays for Batches {
    fn next_array(&mut self) -> Result<Option<ArrayData>, String> {
        let batch = self.0.next().transpose();
        let batch = batch.map_err(|error| error.to_string())?;
        Ok(batch.map(|batch| StructArray::from(batch).to_data()))
    }
}

fn field() -> Field {
    let fields = capture_schema().fields().clone();
    Field::new("", DataType::Struct(fields), false)
}

#[pymethods]
impl Captures {
    /// Export the data as an Arrow stream (the `PyCapsule` interface). `requested_schema` is
    /// ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        guarded(py, || {
            let reader = self.reader.lock();
            let reader = reader.unwrap_or_else(PoisonError::into_inner).take();
            let reader = reader.ok_or_else(|| {
                PyValueError::new_err("the captures have already been read: open the file again")
            })?;
            stream_capsule(py, Box::new(Batches(reader)), field())
        })
    }

    /// Export the names and types of the columns (the `PyCapsule` interface).
    #[expect(clippy::unused_self, reason = "a method of the interface")]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        guarded(py, || schema_capsule(py, &field()))
    }

    fn __repr__(&self) -> String {
        format!("<Captures of {}>", self.name)
    }
}

/// Open a WARC file: a path, or an object with a method `read` that returns bytes.
#[pyfunction]
#[pyo3(signature = (file, *, name=None))]
pub(crate) fn captures_of(file: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Captures> {
    guarded(file.py(), || {
        let (input, called) = if let Ok(path) = file.extract::<PathBuf>() {
            let shown = path.display().to_string();
            let opened = File::open(&path).map_err(|error| {
                let code = error.raw_os_error();
                PyOSError::new_err((code, error.to_string(), shown.clone()))
            });
            (Input::File(opened?), shown)
        } else if file.hasattr("read")? {
            let called = file.getattr("name").and_then(|name| name.extract());
            let called = called.unwrap_or_else(|_| "-".to_owned());
            (Input::Object(file.clone().unbind()), called)
        } else {
            return Err(type_error(file, "a path or a file opened for reading"));
        };
        let name = name.unwrap_or(called);
        let reader = CaptureReader::new(input, name.clone(), CaptureSettings::default());
        let reader = Mutex::new(Some(Box::new(reader)));
        Ok(Captures { name, reader })
    })
}
