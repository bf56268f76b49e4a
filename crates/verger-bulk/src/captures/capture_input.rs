use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use verger_inputs::legible_path;

/// A WARC file or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureInput {
    path: Option<PathBuf>,
    bytes: Option<u64>,
}

impl CaptureInput {
    /// Returns the input with this name. `-` is standard input.
    #[must_use]
    pub fn new(name: &OsStr) -> Self {
        let path = (name != "-").then(|| PathBuf::from(name));
        let about = path.as_ref().and_then(|path| fs::metadata(path).ok());
        let bytes = about.filter(fs::Metadata::is_file).map(|about| about.len());
        Self { path, bytes }
    }

    /// Returns the path, or `None` for standard input.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the size in bytes, if known.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        self.bytes
    }

    pub(super) fn name(&self) -> String {
        let path = self.path.as_ref();
        path.map_or("-".to_owned(), |path| path.to_string_lossy().into_owned())
    }

    /// Returns `None` if the content may differ at another time.
    pub(super) fn identity(&self) -> Option<String> {
        let bytes = self.bytes?;
        Some(format!("{} {bytes}", self.name()))
    }

    /// Returns the part of each input in a directory.
    ///
    /// # Errors
    ///
    /// Returns an error if two inputs would have the same part.
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

    /// Returns the name of the input with `.parquet`.
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

/// Two inputs would have the same part, with this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "two inputs would be written to the same part, `{}`: give them different names, or use separate runs",
    legible_path(.0)
)]
pub struct SamePart(pub OsString);
