//! `RowsArguments`: where rows go, and in which form.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::Schema;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use verger_bulk::{ColumnFormat, RowsError, RowsOutput};

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
            None => RowsOutput::lines(io::stdout()),
            Some(path) => RowsOutput::file(path, format, schema, long)?,
        })
    }
}

/// The error of rows that cannot be written; of standard output that of the system.
pub(super) fn rows_error(error: RowsError) -> Box<dyn Error> {
    match error {
        RowsError::Stream(error) => error.into(),
        error => error.into(),
    }
}

/// Parquet needs a file.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("Parquet is written to a file: name one with --output")]
pub(super) struct ParquetToStdout;
