use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};

use crate::column_file::{ColumnFile, ColumnFileError, ColumnFormat};
use crate::json_lines::write_json_lines;

#[derive(Debug)]
pub(crate) enum Rows {
    Columns(RecordBatch),
    Lines(Vec<u8>),
}

impl Rows {
    /// `schema` is the schema name in JSON.
    pub(crate) fn of(
        batch: RecordBatch,
        format: ColumnFormat,
        schema: &str,
    ) -> Result<Self, ArrowError> {
        match format {
            ColumnFormat::Parquet => Ok(Self::Columns(batch)),
            ColumnFormat::JsonLines => {
                let mut lines = Vec::new();
                write_json_lines(&batch, schema, &mut lines)?;
                Ok(Self::Lines(lines))
            }
        }
    }
}

/// The output of a run.
pub struct RowsOutput {
    format: ColumnFormat,
    to: To,
}

enum To {
    File(Box<ColumnFile>),
    Stream(Box<dyn Write + Send>),
}

impl RowsOutput {
    /// Starts a file. `long` names columns whose texts seldom repeat.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be created.
    pub fn file(
        path: &Path,
        format: ColumnFormat,
        schema: &Arc<Schema>,
        long: &[&str],
    ) -> Result<Self, ColumnFileError> {
        let file = ColumnFile::create(path, format, schema, long)?;
        let to = To::File(Box::new(file));
        Ok(Self { format, to })
    }

    /// Writes JSON Lines to a stream.
    pub fn lines(stream: impl Write + Send + 'static) -> Self {
        Self {
            format: ColumnFormat::JsonLines,
            to: To::Stream(Box::new(stream)),
        }
    }

    pub(crate) fn format(&self) -> ColumnFormat {
        self.format
    }

    pub(crate) fn write(&mut self, rows: &Rows) -> Result<(), RowsError> {
        match (&mut self.to, rows) {
            (To::File(file), Rows::Columns(batch)) => file.write(batch)?,
            (To::File(file), Rows::Lines(lines)) => file.write_text(lines)?,
            (To::Stream(stream), Rows::Lines(lines)) => stream.write_all(lines)?,
            (To::Stream(_), Rows::Columns(_)) => unreachable!("a stream has the form of lines"),
        }
        Ok(())
    }

    /// Moves the complete file into place.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written. An existing file is then unchanged.
    pub fn finish(self) -> Result<(), RowsError> {
        match self.to {
            To::File(file) => Ok(file.finish()?),
            To::Stream(mut stream) => Ok(stream.flush()?),
        }
    }
}

impl fmt::Debug for RowsOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RowsOutput");
        shown.field("format", &self.format).finish_non_exhaustive()
    }
}

/// Rows cannot be made or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// The rows cannot be written to a file.
    #[error(transparent)]
    File(#[from] ColumnFileError),
    /// The rows cannot be written to a stream. The message does not name it.
    #[error(transparent)]
    Stream(#[from] io::Error),
    /// The rows cannot be turned into columns.
    #[error(transparent)]
    Columns(#[from] ArrowError),
}
