use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// The format of a URL list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// One URL per line.
    Text,
    /// Comma-separated values, with column names in the first record.
    Csv,
    /// One JSON object per line.
    JsonLines,
    /// A JSON array of objects or of URLs.
    Json,
    /// Lines of a web archive index: key, time, JSON object.
    Cdxj,
    /// Apache Parquet.
    Parquet,
}

impl InputFormat {
    /// The names of all formats, as [`FromStr`] parses them.
    pub const NAMES: [&str; 6] = ["text", "csv", "jsonl", "json", "cdxj", "parquet"];

    /// Returns the format for a file name, ignoring `.gz` and `.zst`. Text if the name does not
    /// tell.
    #[must_use]
    pub fn from_name(path: &Path) -> Self {
        Self::said_by(path).unwrap_or(Self::Text)
    }

    /// Files of Common Crawl's index are named `cdx-00000.gz`.
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
            _ => Err("the format must be text, csv, jsonl, json, cdxj or parquet".to_owned()),
        }
    }
}

/// The columns with URLs and times, and the columns kept with the answers. Text has no columns. In
/// CDXJ, URL and time have fixed positions. In JSON and Parquet, `page.url` names a nested key or
/// column.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UrlColumns {
    /// The column or key of the URL.
    pub url: String,
    /// The column or key of the time, if URLs have times.
    pub time: Option<String>,
    /// The columns or keys to keep.
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

/// A URL list cannot be read. Displays its name and the position.
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

    /// Creates an error. `number` counts lines or elements from 1.
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
