//! `InputFormat` and `UrlColumns`: the forms of lists of URLs, and their columns.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// The form of a list of URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// One a line.
    Text,
    /// Comma-separated, with the names of columns in the first record.
    Csv,
    /// An object a line.
    JsonLines,
    /// An array of objects, or of URLs.
    Json,
    /// Lines of an index of a web archive: key, time, an object.
    Cdxj,
    /// Apache Parquet.
    Parquet,
}

impl InputFormat {
    /// The names of all, as [`FromStr`] reads them.
    pub const NAMES: [&str; 6] = ["text", "csv", "jsonl", "json", "cdxj", "parquet"];

    /// The form that the name of a file says, its `.gz` or `.zst` apart; text where it says none.
    #[must_use]
    pub fn of_name(path: &Path) -> Self {
        Self::said_by(path).unwrap_or(Self::Text)
    }

    /// The form that the name of a file says, if any. The files of Common Crawl's index are named `cdx-00000.gz`.
    pub(super) fn said_by(path: &Path) -> Option<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_ascii_lowercase();
        let compressed = [".gz", ".zst"];
        let bare = compressed.iter().find_map(|it| name.strip_suffix(it));
        let name = bare.unwrap_or(&name);
        Some(
            match name.rsplit_once('.').map(|(_, extension)| extension) {
                Some("txt") => Self::Text,
                Some("csv") => Self::Csv,
                Some("jsonl" | "ndjson") => Self::JsonLines,
                Some("json") => Self::Json,
                Some("cdxj" | "cdx") => Self::Cdxj,
                Some("parquet") => Self::Parquet,
                None if name.starts_with("cdx-") => Self::Cdxj,
                _ => return None,
            },
        )
    }
}

impl FromStr for InputFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "text" => Ok(Self::Text),
            "csv" => Ok(Self::Csv),
            "jsonl" => Ok(Self::JsonLines),
            "json" => Ok(Self::Json),
            "cdxj" => Ok(Self::Cdxj),
            "parquet" => Ok(Self::Parquet),
            _ => Err("a form is text, csv, jsonl, json, cdxj or parquet".to_owned()),
        }
    }
}

/// The columns that have URLs and times, and those that go with the answers. Text has none, and in CDXJ URL and time have
/// places of their own. In JSON and Parquet a name such as `page.url` is that of a key or column within another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UrlColumns {
    /// The name of the column, or key, with the URL.
    pub url: String,
    /// The name of the one with the time, if URLs have one.
    pub time: Option<String>,
    /// The names of those that go with the answers.
    pub keep: Vec<String>,
}

impl Default for UrlColumns {
    fn default() -> Self {
        Self {
            url: "url".to_owned(),
            time: None,
            keep: Vec::new(),
        }
    }
}

/// A list of URLs cannot be read. Displays with its name and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {problem}")]
pub struct UrlInputError {
    name: String,
    problem: String,
}

impl UrlInputError {
    pub(super) fn of(name: &str, problem: impl fmt::Display) -> Self {
        Self {
            name: name.to_owned(),
            problem: problem.to_string(),
        }
    }

    /// A list that cannot be read after this line or element, counted from 1.
    pub(super) fn after(name: &str, unit: &str, number: u64, error: impl fmt::Display) -> Self {
        match number {
            0 => Self::of(
                name,
                format_args!("before the end of its first {unit}: {error}"),
            ),
            _ => Self::of(name, format_args!("after {unit} {number}: {error}")),
        }
    }
}
