//! `verger.columns.Columns`: what another package reads.

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

/// Columns that another package reads as Arrow data.
#[pyclass(frozen, module = "verger.columns")]
pub(crate) struct Columns {
    plan: Arc<Plan>,
    data: Data,
}

enum Data {
    /// All of it, in memory.
    Kept(Arc<[ArrayData]>),
    /// It is made of the batches of a table while they are read.
    Lazy(Source),
}

/// The table that is read.
enum Source {
    /// It has a length, so it can be read as often as it has to.
    Again(Py<PyAny>),
    /// It can be read once; `None` when it has been.
    Once(Mutex<Option<Box<Opened>>>),
}

impl Columns {
    /// What a job makes of `urls`: at once where they are in memory, or a column, and otherwise while it is
    /// read.
    ///
    /// # Errors
    ///
    /// As [`open`] and [`Plan::of`]; `ValueError` where the data is broken.
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

    /// The arrays, from the first on.
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
                    refuse("the table has other columns than when it was given")
                }
            }
            Self::Once(opened) => {
                let opened = opened.lock().unwrap_or_else(PoisonError::into_inner).take();
                opened.map_or_else(
                    || refuse("the stream has been read already; read_all() keeps what it gives"),
                    |opened| Ok(*opened),
                )
            }
        }
    }
}

/// Whether `urls` is a relation of `DuckDB`. Its connection runs one query at a time: where the query that
/// reads the answers is of the same connection, both would wait for each other, or the relation would end
/// early and say nothing.
fn is_relation(urls: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(urls.get_type().name()? == "DuckDBPyRelation")
}

/// Everything at once, without the global lock.
fn kept(py: Python<'_>, plan: &Arc<Plan>, opened: Opened) -> PyResult<Arc<[ArrayData]>> {
    let mut answered = Answered::of(Arc::clone(plan), opened);
    let arrays = py.detach(|| {
        let mut arrays = Vec::new();
        while let Some(array) = answered.next_array()? {
            arrays.push(array);
        }
        Ok::<_, String>(arrays)
    });
    arrays.map(Into::into).map_err(PyValueError::new_err)
}

/// Arrays in memory.
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
    /// The data as an Arrow stream (the `PyCapsule` interface); `requested_schema` changes nothing.
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

    /// Names and types of the columns (the `PyCapsule` interface).
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        guarded(py, || schema_capsule(py, &self.plan.output))
    }

    /// Makes everything now, without the global lock, and keeps it in memory.
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
