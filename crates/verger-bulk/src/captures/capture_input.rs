//! `CaptureInput`: a WARC file, or standard input.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use verger_files::legible_path;

/// A WARC file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureInput {
    path: Option<PathBuf>,
    bytes: Option<u64>,
}

impl CaptureInput {
    /// The file of that name; `-` is standard input.
    #[must_use]
    pub fn new(name: &OsStr) -> Self {
        let path = (name != "-").then(|| PathBuf::from(name));
        let about = path.as_ref().and_then(|path| fs::metadata(path).ok());
        let bytes = about.filter(fs::Metadata::is_file).map(|about| about.len());
        Self { path, bytes }
    }

    /// `None` of standard input.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// How many bytes it has, where that is known.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        self.bytes
    }

    /// As the column `file` has it.
    pub(super) fn name(&self) -> String {
        let path = self.path.as_ref();
        path.map_or("-".to_owned(), |path| path.to_string_lossy().into_owned())
    }

    /// What a part says about it; `None` where it might have other content at another time.
    pub(super) fn identity(&self) -> Option<String> {
        let bytes = self.bytes?;
        Some(format!("{} {bytes}", self.name()))
    }

    /// The part of each input in a directory.
    ///
    /// # Errors
    ///
    /// Where two inputs would have the same.
    pub fn parts(inputs: &[Self], directory: &Path) -> Result<Vec<PathBuf>, SamePart> {
        let mut parts: Vec<PathBuf> = Vec::with_capacity(inputs.len());
        let mut names = BTreeSet::new();
        for input in inputs {
            let name = input.part_name();
            parts.push(directory.join(&name));
            if let Some(name) = names.replace(name) {
                return Err(SamePart(name));
            }
        }
        Ok(parts)
    }

    /// The file name of its part: its own with `.parquet`.
    fn part_name(&self) -> OsString {
        let name = self
            .path()
            .map_or(Some(OsStr::new("stdin")), Path::file_name);
        let mut name = name.unwrap_or_default().to_owned();
        name.push(".parquet");
        name
    }

    pub(super) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match &self.path {
            Some(path) => Box::new(File::open(path)?),
            None => Box::new(io::stdin()),
        })
    }
}

/// Two inputs would have the same part, of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "two inputs would have the same part, `{}`: give them different names, or run twice",
    legible_path(.0)
)]
pub struct SamePart(pub OsString);
