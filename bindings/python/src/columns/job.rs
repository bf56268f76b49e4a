//! `Job`: which columns to compute, and how.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use verger_inputs::rulebook::UrlAuthority;

use crate::columns::authorities::{authorities, field};
use crate::columns::book::{Book, CheckWorker};
use crate::columns::class_book::ClassBook;
use crate::columns::table::{Piece, Shape};
use crate::columns::verdict_columns::VerdictColumns;

#[derive(Clone)]
pub(crate) enum Job {
    Check(Arc<Book>),
    Authority,
    Classes(Arc<ClassBook>),
}

/// How to compute the output for arrays of one type.
pub(crate) struct Plan {
    pub(crate) job: Job,
    pub(crate) input: Field,
    shape: Shape,
    pub(crate) output: Field,
}

/// Runs a job on one stream, batch by batch.
pub(crate) enum Worker {
    Check(CheckWorker),
    Authority(UrlAuthority),
    Classes(Arc<ClassBook>),
}

impl Job {
    fn fields(&self) -> Vec<Field> {
        match self {
            Self::Check(book) => book.crawlers.fields(VerdictColumns::fields()),
            Self::Authority => vec![field()],
            Self::Classes(book) => book.fields(),
        }
    }

    /// Returns the maximum number of rows per batch. Classes need fewer, because they contain paths
    /// as long as a body, and a text column is limited to 2 GiB.
    pub(crate) fn rows_max(&self) -> usize {
        match self {
            Self::Check(_) | Self::Authority => 1 << 16,
            Self::Classes(_) => 1 << 10,
        }
    }

    pub(crate) fn worker(&self) -> Worker {
        match self {
            Self::Check(book) => Worker::Check(CheckWorker::of(Arc::clone(book))),
            Self::Authority => Worker::Authority(UrlAuthority::default()),
            Self::Classes(book) => Worker::Classes(Arc::clone(book)),
        }
    }
}

impl Worker {
    fn columns(&mut self, piece: &Piece) -> Result<Vec<ArrayRef>, String> {
        match self {
            Self::Check(worker) => worker.columns(piece),
            Self::Authority(last) => Ok(vec![authorities(last, piece)?]),
            Self::Classes(book) => book.columns(piece),
        }
    }
}

impl Plan {
    /// Plans the job for arrays of this type. `url` names the column of URLs, or of bodies for
    /// classes.
    pub(crate) fn of(job: Job, input: Field, url: &str) -> PyResult<Self> {
        let by = match &job {
            Job::Check(book) => book.by(),
            Job::Authority | Job::Classes(_) => None,
        };
        let shape = Shape::of(&input, url, by)?;
        let made = job.fields();
        let output = match (&shape, input.data_type(), &job) {
            (Shape::Column { .. }, _, Job::Authority) => field(),
            (Shape::Table { .. }, DataType::Struct(fields), _) => {
                let taken = made.iter().find(|it| fields.find(it.name()).is_some());
                if let Some(taken) = taken {
                    let name = taken.name();
                    let message =
                        format!("the table already has a column `{name}`: rename or drop it");
                    return Err(PyValueError::new_err(message));
                }
                let made = made.into_iter().map(Arc::new);
                let fields: Fields = fields.iter().cloned().chain(made).collect();
                // Keep the metadata of the table.
                Field::new("", DataType::Struct(fields), false)
                    .with_metadata(input.metadata().clone())
            }
            _ => Field::new("", DataType::Struct(made.into()), false),
        };
        Ok(Self {
            job,
            input,
            shape,
            output,
        })
    }

    /// Runs the job on rows of an input array. `first` is the number of the first row.
    pub(crate) fn apply(
        &self,
        (first, array): (usize, &ArrayRef),
        worker: &mut Worker,
    ) -> Result<ArrayData, String> {
        let mut piece = self.shape.read(array, first)?;
        let made = worker.columns(&piece)?;
        let DataType::Struct(fields) = self.output.data_type() else {
            let column = made.first().map(Array::to_data);
            return column.ok_or_else(|| "no column was computed".to_owned());
        };
        let mut columns = std::mem::take(&mut piece.passed);
        // A null row has no result, but keep its values in non-nullable columns.
        let given = array.as_struct_opt().map_or(&[][..], StructArray::columns);
        for ((column, given), field) in columns.iter_mut().zip(given).zip(fields) {
            if !field.is_nullable() {
                *column = ArrayRef::clone(given);
            }
        }
        columns.extend(made);
        let table = StructArray::try_new_with_length(fields.clone(), columns, None, piece.rows);
        table
            .map(|table| table.to_data())
            .map_err(|error| error.to_string())
    }
}
