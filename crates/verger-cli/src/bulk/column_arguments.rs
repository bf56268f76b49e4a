//! `ColumnArguments`: the form of lists of URLs, and their columns.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use verger_bulk::{InputFormat, UrlColumns, answer_schema};

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
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        hide_short_help = true
    )]
    keep: Vec<String>,
}

fn input_formats() -> impl TypedValueParser<Value = InputFormat> {
    PossibleValuesParser::new(InputFormat::NAMES).try_map(|name| name.parse::<InputFormat>())
}

impl ColumnArguments {
    /// The names of the columns.
    pub(super) fn names(&self) -> UrlColumns {
        let of_url = || UrlColumns::default().url;
        UrlColumns {
            url: self.url_column.clone().unwrap_or_else(of_url),
            time: self.time_column.clone(),
            keep: self.keep.clone(),
        }
    }

    /// Checks that each list has columns where an option names one; `-` is standard input.
    pub(super) fn fit(&self, lists: &[PathBuf]) -> Result<(), NoColumns> {
        let (is_url, is_time) = (self.url_column.is_some(), self.time_column.is_some());
        for list in lists {
            let is_stdin = list.as_path() == Path::new("-");
            let of_name = || {
                if is_stdin {
                    InputFormat::Text
                } else {
                    InputFormat::of_name(list)
                }
            };
            let format = self.input_format.unwrap_or_else(of_name);
            let option = match format {
                InputFormat::Text | InputFormat::Cdxj if is_url => Some("--url-column"),
                InputFormat::Text | InputFormat::Cdxj if is_time => Some("--time-column"),
                InputFormat::Text if !self.keep.is_empty() => Some("--keep"),
                _ => None,
            };
            if let Some(option) = option {
                let list = if is_stdin {
                    "standard input".to_owned()
                } else {
                    list.to_string_lossy().into_owned()
                };
                let is_said = self.input_format.is_some();
                return Err(NoColumns {
                    list,
                    format,
                    option,
                    is_said,
                });
            }
        }
        Ok(())
    }
}

/// Refuses to keep a column twice, or one that is named as one of the answers.
pub(super) fn check_kept(kept: &[String]) -> Result<(), KeptTwice> {
    let answers = answer_schema(&[]);
    for (nth, name) in kept.iter().enumerate() {
        if answers.column_with_name(name).is_some() {
            return Err(KeptTwice::OfAnswers(name.clone()));
        }
        if kept[..nth].contains(name) {
            return Err(KeptTwice::Named(name.clone()));
        }
    }
    Ok(())
}

/// Two columns of the output would have one name.
#[derive(Clone, Debug)]
pub(super) enum KeptTwice {
    OfAnswers(String),
    Named(String),
}

impl fmt::Display for KeptTwice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OfAnswers(name) => write!(
                f,
                "`--keep {name}`: answers have a column of this name; join them with the list by `input` and `row`"
            ),
            Self::Named(name) => write!(f, "`--keep {name}` is given twice"),
        }
    }
}

impl Error for KeptTwice {}

/// An option names a column of a list that has none.
#[derive(Clone, Debug)]
pub(super) struct NoColumns {
    list: String,
    format: InputFormat,
    option: &'static str,
    /// Whether an option says the form.
    is_said: bool,
}

impl fmt::Display for NoColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { list, option, .. } = self;
        let form = match self.format {
            InputFormat::Cdxj => {
                "CDXJ, which has the URL and the time of each line in places of their own"
            }
            _ => "text with a URL in each line, which has no columns",
        };
        write!(
            f,
            "`{option}` does not go with {list}: it is read as {form}"
        )?;
        if self.is_said {
            return Ok(());
        }
        f.write_str("; `--input-format csv`, `jsonl` or `parquet` says that it is another form")
    }
}

impl Error for NoColumns {}
