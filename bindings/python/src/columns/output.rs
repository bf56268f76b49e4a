//! `verger.columns.Columns`: the result that another package reads.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_data::ArrayData;
use arrow_schema::DataType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::capsule::{Opened, open, schema_capsule, stream_capsule};
use crate::arrow::stream_out::Arrays;
use crate::columns::answered::Answered;
use crate::columns::job::{Job, Plan};
use crate::guard::guarded;

/// Result columns that another package can read as Arrow data.
#[pyclass(frozen, module = "verger.columns")]
pub(crate) struct Columns {
    plan: Arc<Plan>,
    data: Data,
}

enum Data {
    /// The whole result is in memory.
    Kept(Arc<[ArrayData]>),
    /// The result is computed from the batches of a table as they are read.
    Lazy(Source),
}

enum Source {
    /// A table with a length, which can be read repeatedly.
    Again(Py<PyAny>),
    /// A stream that can be read once. `None` after that.
    Once(Mutex<Option<Box<Opened>>>),
}

impl Columns {
    /// Runs a job on `urls`: immediately for a column or for data in memory, and otherwise as the
    /// result is read.
    pub(crate) fn of(job: Job, urls: &Bound<'_, PyAny>, url: &str) -> PyResult<Self> {
        let opened = open(urls)?;
        let plan = Arc::new(Plan::of(job, opened.field().clone(), url)?);
        let is_table = matches!(plan.input.data_type(), DataType::Struct(_));
        let data = match opened {
            Opened::Stream(_) if is_table && !is_relation(urls)? => {
                Data::Lazy(if urls.hasattr("__len__")? {
                    Source::Again(urls.clone().unbind())
                } else {
                    Source::Once(Mutex::new(Some(Box::new(opened))))
                })
            }
            Opened::Array(..) | Opened::Stream(_) => Data::Kept(kept(urls.py(), &plan, opened)?),
        };
        Ok(Self { plan, data })
    }

    fn arrays(&self, py: Python<'_>) -> PyResult<Box<dyn Arrays>> {
        Ok(match &self.data {
            Data::Kept(arrays) => Box::new(Kept {
                arrays: Arc::clone(arrays),
                next: 0,
            }),
            Data::Lazy(source) => {
                let opened = source.open(py, &self.plan)?;
                Box::new(Answered::of(Arc::clone(&self.plan), opened))
            }
        })
    }
}

impl Source {
    fn open(&self, py: Python<'_>, plan: &Plan) -> PyResult<Opened> {
        let refuse = |message: &str| Err(PyValueError::new_err(message.to_owned()));
        match self {
            Self::Again(table) => {
                let opened = open(table.bind(py))?;
                if opened.field().data_type() == plan.input.data_type() {
                    Ok(opened)
                } else {
                    refuse("the columns of the table have changed since the call")
                }
            }
            Self::Once(opened) => {
                let opened = opened.lock().unwrap_or_else(PoisonError::into_inner).take();
                opened.map_or_else(
                    || refuse("the stream has already been read: use read_all() to keep its data"),
                    |opened| Ok(*opened),
                )
            }
        }
    }
}

/// Returns whether `urls` is a `DuckDB` relation.
///
/// A `DuckDB` connection runs one query at a time. If the query that reads the result uses the same
/// connection, both would wait for each other, or the relation would end early without an error.
fn is_relation(urls: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(urls.get_type().name()? == "DuckDBPyRelation")
}

/// Computes the whole result now, without the global lock.
fn kept(py: Python<'_>, plan: &Arc<Plan>, opened: Opened) -> PyResult<Arc<[ArrayData]>> {
    let mut answered = Answered::of(Arc::clone(plan), opened);
    let mut arrays = Vec::new();
    loop {
        let array = py.detach(|| answered.next_array());
        match array.map_err(PyValueError::new_err)? {
            Some(array) => arrays.push(array),
            None => return Ok(arrays.into()),
        }
        py.check_signals()?;
    }
}

struct Kept {
    arrays: Arc<[ArrayData]>,
    next: usize,
}

impl Arrays for Kept {
    fn next_array(&mut self) -> Result<Option<ArrayData>, String> {
        let next = self.arrays.get(self.next).cloned();
        self.next += 1;
        Ok(next)
    }
}

#[pymethods]
impl Columns {
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
            stream_capsule(py, self.arrays(py)?, self.plan.output.clone())
        })
    }

    /// Export the names and types of the columns (the `PyCapsule` interface).
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        guarded(py, || schema_capsule(py, &self.plan.output))
    }

    /// Compute the whole result now, without the global lock, and keep it in memory.
    fn read_all(&self, py: Python<'_>) -> PyResult<Self> {
        guarded(py, || {
            let data = match &self.data {
                Data::Kept(arrays) => Arc::clone(arrays),
                Data::Lazy(source) => kept(py, &self.plan, source.open(py, &self.plan)?)?,
            };
            Ok(Self {
                plan: Arc::clone(&self.plan),
                data: Data::Kept(data),
            })
        })
    }

    fn __repr__(&self) -> String {
        let columns = match self.plan.output.data_type() {
            DataType::Struct(fields) => {
                let names: Vec<&str> = fields.iter().map(|it| it.name().as_str()).collect();
                names.join(", ")
            }
            _ => self.plan.output.name().clone(),
        };
        format!("<Columns {columns}>")
    }
}
