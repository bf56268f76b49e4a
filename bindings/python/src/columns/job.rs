//! `Job`: which columns are made, and how.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use verger_answer::rulebook::UrlAuthority;

use crate::columns::authorities::{authorities, field};
use crate::columns::book::{Book, CheckWorker};
use crate::columns::class_book::ClassBook;
use crate::columns::table::{Piece, Shape};
use crate::columns::verdict_columns::VerdictColumns;

/// Which columns are made.
#[derive(Clone)]
pub(crate) enum Job {
    /// Answers.
    Check(Arc<Book>),
    /// The authority of each URL.
    Authority,
    /// How much each body disallows.
    Classes(Arc<ClassBook>),
}

/// What is made of arrays of one type.
pub(crate) struct Plan {
    pub(crate) job: Job,
    /// The type of the input.
    pub(crate) input: Field,
    shape: Shape,
    /// The type of the output.
    pub(crate) output: Field,
}

/// Does a job for one stream, batch after batch.
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

    /// The most rows that are made at once. A class has paths as long as a body, of which a column of text has room
    /// for 2 GiB.
    pub(crate) fn rows_max(&self) -> usize {
        match self {
            Self::Check(_) | Self::Authority => 1 << 16,
            Self::Classes(_) => 1 << 10,
        }
    }

    /// One that does it.
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
    /// What the job makes of arrays of that type, in which URLs, or of classes bodies, are a
    /// column of this name.
    ///
    /// # Errors
    ///
    /// `ValueError` where a column is not there or is there already, `TypeError` where it is of another
    /// type than it has to be.
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
                        format!("the table has a column `{name}` already; rename or drop it");
                    return Err(PyValueError::new_err(message));
                }
                let made = made.into_iter().map(Arc::new);
                let fields: Fields = fields.iter().cloned().chain(made).collect();
                // What the table says about itself goes on with it.
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

    /// What the job makes of rows of an array of the type of the input; `first` is the number of the first of them.
    ///
    /// # Errors
    ///
    /// Where the array is broken.
    pub(crate) fn apply(
        &self,
        (first, array): (usize, &ArrayRef),
        worker: &mut Worker,
    ) -> Result<ArrayData, String> {
        let mut piece = self.shape.read(array, first)?;
        let made = worker.columns(&piece)?;
        let DataType::Struct(fields) = self.output.data_type() else {
            let column = made.first().map(Array::to_data);
            return column.ok_or_else(|| "no column is made".to_owned());
        };
        let mut columns = std::mem::take(&mut piece.passed);
        // A row that is null has no answer; what a column that has no nulls says of it stays.
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
