//! `RowsArguments`: the output and its format.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::Schema;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use verger_bulk::{ColumnFormat, RowsError, RowsOutput};

use crate::screen::message::Message;

/// The output.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct RowsArguments {
    /// Parquet if it ends with .parquet, else JSON Lines [default: standard output]
    ///
    /// The file appears whole or not at all.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Output format, whatever the name of the file
    #[arg(long, value_name = "FORMAT", value_parser = formats(), hide_short_help = true)]
    format: Option<ColumnFormat>,

    /// Print only errors to standard error
    #[arg(long, hide_short_help = true)]
    pub(super) quiet: bool,
}

fn formats() -> impl TypedValueParser<Value = ColumnFormat> {
    PossibleValuesParser::new(["parquet", "jsonl"]).try_map(|name| name.parse::<ColumnFormat>())
}

impl RowsArguments {
    /// Returns the format. Fails for Parquet without a file.
    /// Returns an error if it is Parquet and there is no file for it.
    pub(super) fn format(&self) -> Result<ColumnFormat, Message> {
        let path = self.path();
        match (self.format, path) {
            (Some(ColumnFormat::Parquet), None) => {
                let message = Message::new("Parquet cannot be written to standard output");
                Err(message.help("name a file with `--output`"))
            }
            (Some(format), _) => Ok(format),
            (None, Some(path)) => Ok(ColumnFormat::from_name(path)),
            (None, None) => Ok(ColumnFormat::JsonLines),
        }
    }

    pub(super) fn path(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }

    /// Opens the output. `long` are columns whose texts rarely repeat.
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

/// Returns the error about unwritable rows. For standard output it is the error of the system.
pub(super) fn rows_error(error: RowsError) -> Box<dyn Error> {
    match error {
        RowsError::Stream(error) => error.into(),
        error => error.into(),
    }
}
