//! `ColumnArguments`: the format of lists of URLs, and their columns.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use verger_bulk::{ColumnKind, InputFormat, NoColumns, UrlColumns};

/// The columns of lists of URLs.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Lists of URLs")]
pub(super) struct ColumnArguments {
    /// Format of the lists [default: by the name of each file, or text]
    #[arg(long, value_name = "FORMAT", value_parser = input_formats(), hide_short_help = true)]
    pub(super) input_format: Option<InputFormat>,

    /// Column or key of the URL, `a.b` if nested [default: url]
    #[arg(long, value_name = "NAME")]
    url_column: Option<String>,

    /// Column or key of the time of each URL, which is checked as of then
    ///
    /// Lines of CDXJ have one. Times are RFC 3339 (`2026-11-20T17:02:11Z`), the same without a zone for UTC, 14
    /// digits from year to second, or a number since 1970: 10 digits for seconds, 13 for milliseconds, 16 for
    /// microseconds, 19 for nanoseconds. Other numbers are not times. Parquet may also have timestamps and dates.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    time_column: Option<String>,

    /// Columns or keys to copy to each answer, separated by commas
    ///
    /// Without any, `input` and `row` give the place of the URL.
    #[arg(long, value_name = "NAME")]
    #[arg(value_delimiter = ',', hide_short_help = true)]
    keep: Vec<String>,
}

fn input_formats() -> impl TypedValueParser<Value = InputFormat> {
    PossibleValuesParser::new(InputFormat::NAMES).try_map(|name| name.parse::<InputFormat>())
}

impl ColumnArguments {
    pub(super) fn names(&self) -> UrlColumns {
        let mut columns = UrlColumns::default();
        if let Some(url) = &self.url_column {
            columns.url.clone_from(url);
        }
        columns.time.clone_from(&self.time_column);
        columns.keep.clone_from(&self.keep);
        columns
    }

    /// Checks that each list has columns if an option names one.
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
