//! A file put in the place of another one, whole or not at all.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use verger_files::{Links, write_whole};

use crate::octet_text::legible;

/// Puts a file there, in the place of another one if there is one, so that a reader finds the one, the
/// other, or none. Links stay, and a file keeps its permissions; a FIFO or a device is written as it is.
///
/// # Errors
///
/// Where it cannot be written; then what was there is as it was.
pub(crate) fn put_file(path: &Path, body: &[u8], links: Links) -> Result<(), NotWritten> {
    write_whole(path, body, links).map_err(|error| NotWritten::at(path, error))
}

/// The file could not be written.
#[derive(Debug)]
pub(crate) struct NotWritten(PathBuf, io::Error);

impl NotWritten {
    pub(crate) fn at(path: &Path, error: io::Error) -> Self {
        Self(path.to_owned(), error)
    }
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(path, error) = self;
        let path = legible(path.to_string_lossy().as_bytes());
        write!(f, "cannot write `{path}`: {error}")
    }
}

impl Error for NotWritten {}
