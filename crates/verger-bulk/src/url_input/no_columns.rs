use std::path::{Path, PathBuf};

use super::input_format::InputFormat;

/// The use of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// The URL.
    Url,
    /// The time of the URL.
    Time,
    /// A column kept with each answer.
    Kept,
}

/// An option names a column of a list that has no columns.
#[derive(Clone, Debug, thiserror::Error)]
#[error("`{option}` does not apply to {list}: it is read as {form}{advice}")]
pub struct NoColumns {
    list: String,
    form: &'static str,
    option: &'static str,
    advice: &'static str,
}

impl NoColumns {
    /// Checks that lists have columns if some are named. `-` is standard input. Without a format,
    /// the name of a list determines it.
    ///
    /// # Errors
    ///
    /// Returns an error for the first list without columns.
    pub fn check(
        lists: &[PathBuf],
        format: Option<InputFormat>,
        named: &[ColumnKind],
    ) -> Result<(), Self> {
        for list in lists {
            let is_stdin = list.as_path() == Path::new("-");
            let of_name = || {
                if is_stdin {
                    InputFormat::Text
                } else {
                    InputFormat::from_name(list)
                }
            };
            let is_named = |kind| named.contains(&kind);
            let option = match format.unwrap_or_else(of_name) {
                InputFormat::Text | InputFormat::Cdxj if is_named(ColumnKind::Url) => {
                    "--url-column"
                }
                InputFormat::Text | InputFormat::Cdxj if is_named(ColumnKind::Time) => {
                    "--time-column"
                }
                InputFormat::Text if is_named(ColumnKind::Kept) => "--keep",
                _ => continue,
            };
            return Err(Self {
                list: if is_stdin {
                    "standard input".to_owned()
                } else {
                    list.to_string_lossy().into_owned()
                },
                form: match format.unwrap_or_else(of_name) {
                    InputFormat::Cdxj => "CDXJ, where the URL and the time have fixed positions",
                    _ => "text with one URL per line",
                },
                option,
                advice: match format {
                    Some(_) => "",
                    None => {
                        "; use `--input-format csv`, `jsonl` or `parquet` if it has another format"
                    }
                },
            });
        }
        Ok(())
    }
}
