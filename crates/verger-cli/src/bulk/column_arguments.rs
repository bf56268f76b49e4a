//! `ColumnArguments`: the form of lists of URLs, and their columns.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use verger_bulk::{ColumnKind, InputFormat, NoColumns, UrlColumns};

/// Where URLs are in their list.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Which URLs")]
pub(super) struct ColumnArguments {
    /// The form of the lists [default: as the names of the files say; text]
    #[arg(long, value_name = "FORMAT", value_parser = input_formats(), hide_short_help = true)]
    pub(super) input_format: Option<InputFormat>,

    /// The column, or key, of the URL; `a.b` is one within another [default: url]
    #[arg(long, value_name = "NAME")]
    url_column: Option<String>,

    /// The column, or key, of the time of each URL: it meets what was in force then. Lines of CDXJ have one
    ///
    /// Times are RFC 3339 (`2026-11-20T17:02:11Z`), the same without a zone for UTC, 14 digits from year to
    /// second, or the time since 1970 as a number: of 10 digits in seconds, 13 in milliseconds, 16 in
    /// microseconds, 19 in nanoseconds. Any other number is no time. Parquet has timestamps and dates, too.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    time_column: Option<String>,

    /// Columns, or keys, that go with each answer; several with commas between them. Without any, `input` and `row`
    /// say where the URL of an answer is
    #[arg(long, value_name = "NAME")]
    #[arg(value_delimiter = ',', hide_short_help = true)]
    keep: Vec<String>,
}

fn input_formats() -> impl TypedValueParser<Value = InputFormat> {
    PossibleValuesParser::new(InputFormat::NAMES).try_map(|name| name.parse::<InputFormat>())
}

impl ColumnArguments {
    /// The names of the columns.
    pub(super) fn names(&self) -> UrlColumns {
        let mut columns = UrlColumns::default();
        if let Some(url) = &self.url_column {
            columns.url.clone_from(url);
        }
        columns.time.clone_from(&self.time_column);
        columns.keep.clone_from(&self.keep);
        columns
    }

    /// Checks that each list has columns where an option names one; `-` is standard input.
    pub(super) fn fit(&self, lists: &[PathBuf]) -> Result<(), NoColumns> {
        let named = [
            (self.url_column.is_some(), ColumnKind::Url),
            (self.time_column.is_some(), ColumnKind::Time),
            (!self.keep.is_empty(), ColumnKind::Kept),
        ];
        let named = named.into_iter().filter(|(is_named, _)| *is_named);
        let named: Vec<ColumnKind> = named.map(|(_, kind)| kind).collect();
        NoColumns::check(lists, self.input_format, &named)
    }
}
