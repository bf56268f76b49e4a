//! `CaptureInput`: a WARC file, or standard input.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A WARC file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureInput {
    path: Option<PathBuf>,
    octets: Option<u64>,
}

impl CaptureInput {
    /// The file of that name; `-` is standard input.
    #[must_use]
    pub fn of(name: &OsStr) -> Self {
        let path = (name != "-").then(|| PathBuf::from(name));
        let about = path.as_ref().and_then(|path| fs::metadata(path).ok());
        let octets = about.filter(fs::Metadata::is_file).map(|about| about.len());
        Self { path, octets }
    }

    /// `None` of standard input.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// How many octets it has, where that is known.
    #[must_use]
    pub fn octets(&self) -> Option<u64> {
        self.octets
    }

    /// As the column `file` has it.
    pub(super) fn name(&self) -> String {
        let path = self.path.as_ref();
        path.map_or("-".to_owned(), |path| path.to_string_lossy().into_owned())
    }

    /// What a part says about it; `None` where it might have other content at another time.
    pub(super) fn identity(&self) -> Option<String> {
        let octets = self.octets?;
        Some(format!("{} {octets}", self.name()))
    }

    /// The file name of its part: its own with `.parquet`.
    #[must_use]
    pub fn part_name(&self) -> OsString {
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
