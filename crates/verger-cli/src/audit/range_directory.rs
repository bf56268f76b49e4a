//! The address ranges that operators publish, as they are kept in a directory.

use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use verger_audit::{RangeDocument, RangeDocumentError, RequestChecks};

use crate::octet_text::legible;

/// Reads the documents of a directory; of the default directory there need be none.
pub(super) fn checks(directory: Option<&Path>) -> Result<RequestChecks, Box<dyn Error>> {
    let mut checks = RequestChecks::default();
    let Some(directory) = directory else {
        return Ok(checks);
    };
    for document in documents(directory)? {
        checks.add(&document);
    }
    Ok(checks)
}

/// The documents in a directory, in the order of their files' names.
fn documents(directory: &Path) -> Result<Vec<RangeDocument>, RangeFileError> {
    let of = |path: &Path| {
        let path = path.to_owned();
        move |error| RangeFileError {
            path,
            error: Problem::Read(error),
        }
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(of(directory))? {
        let path = entry.map_err(of(directory))?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    let read = |path: PathBuf| {
        let text = fs::read(&path).map_err(of(&path))?;
        RangeDocument::from_json(&text).map_err(|error| RangeFileError {
            path,
            error: Problem::Content(error),
        })
    };
    paths.into_iter().map(read).collect()
}

/// A file of ranges cannot be read.
#[derive(Debug)]
struct RangeFileError {
    path: PathBuf,
    error: Problem,
}

#[derive(Debug)]
enum Problem {
    Read(io::Error),
    Content(RangeDocumentError),
}

impl fmt::Display for RangeFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = legible(self.path.to_string_lossy().as_bytes());
        match &self.error {
            Problem::Read(error) => write!(f, "cannot read `{path}`: {error}"),
            Problem::Content(error) => write!(f, "`{path}`: {error}"),
        }
    }
}

impl Error for RangeFileError {}
