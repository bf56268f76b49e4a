//! `RowsOutput`: rows to a file, which appears whole or not at all, or to standard output.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use verger_bulk::{ColumnFile, ColumnFormat, write_json_lines};

/// Where rows go.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What is written")]
pub(super) struct RowsArguments {
    /// The file, Parquet if its name ends with .parquet, else JSON Lines; it appears whole or not at all
    /// [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The form, whatever the name of the file says
    #[arg(long, value_name = "FORMAT", value_parser = formats(), hide_short_help = true)]
    format: Option<ColumnFormat>,

    /// Print nothing but errors on standard error
    #[arg(long, hide_short_help = true)]
    pub(super) quiet: bool,
}

fn formats() -> impl TypedValueParser<Value = ColumnFormat> {
    PossibleValuesParser::new(["parquet", "jsonl"]).try_map(|name| name.parse::<ColumnFormat>())
}

/// Rows in the form that is asked for.
pub(super) enum Rows {
    Columns(RecordBatch),
    Lines(Vec<u8>),
}

/// Rows to a file, or to standard output.
pub(super) enum RowsOutput {
    File(Box<ColumnFile>),
    Stdout,
}

impl RowsArguments {
    /// The form of the rows.
    ///
    /// # Errors
    ///
    /// Where it is Parquet, and there is no file for it.
    pub(super) fn format(&self) -> Result<ColumnFormat, ParquetToStdout> {
        let path = self.path();
        match (self.format, path) {
            (Some(ColumnFormat::Parquet), None) => Err(ParquetToStdout),
            (Some(format), _) => Ok(format),
            (None, Some(path)) => Ok(ColumnFormat::of_name(path)),
            (None, None) => Ok(ColumnFormat::JsonLines),
        }
    }

    /// The file; `None` for standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }

    /// Begins the output. `long` are columns whose texts seldom repeat.
    ///
    /// # Errors
    ///
    /// Where no file can be made there.
    pub(super) fn open(
        &self,
        schema: &Arc<Schema>,
        long: &[&str],
    ) -> Result<RowsOutput, Box<dyn Error>> {
        let format = self.format()?;
        Ok(match self.path() {
            None => RowsOutput::Stdout,
            Some(path) => {
                let file = ColumnFile::create(path, format, schema, long)?;
                RowsOutput::File(Box::new(file))
            }
        })
    }
}

impl Rows {
    /// The rows of a batch in a form; `schema` is that of their JSON.
    pub(super) fn of(
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

impl RowsOutput {
    pub(super) fn write(&mut self, rows: &Rows) -> Result<(), Box<dyn Error + Send + Sync>> {
        match (self, rows) {
            (Self::File(file), Rows::Columns(batch)) => file.write(batch)?,
            (Self::File(file), Rows::Lines(lines)) => file.write_text(lines)?,
            (Self::Stdout, Rows::Lines(lines)) => io::stdout().lock().write_all(lines)?,
            (Self::Stdout, Rows::Columns(_)) => return Err(Box::new(ParquetToStdout)),
        }
        Ok(())
    }

    /// Puts the whole file in its place.
    pub(super) fn finish(self) -> Result<(), Box<dyn Error>> {
        match self {
            Self::File(file) => Ok(file.finish()?),
            Self::Stdout => Ok(io::stdout().lock().flush()?),
        }
    }
}

/// Parquet needs a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParquetToStdout;

impl fmt::Display for ParquetToStdout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Parquet is written to a file: name one with --output")
    }
}

impl Error for ParquetToStdout {}
