//! A file put in the place of another one, whole or not at all, with an error that names it.

use std::io;
use std::path::{Path, PathBuf};

use crate::byte_text::legible_path;
use crate::output_place::Links;
use crate::whole_file::write_whole;

/// Puts a file there, in the place of another one if there is one, so that a reader finds the one, the
/// other, or none. Links stay, and a file keeps its permissions and owner; a FIFO or a device is written as it is.
///
/// # Errors
///
/// Where it cannot be written; then what was there is as it was.
pub fn put_file(path: &Path, body: &[u8], links: Links) -> Result<(), NotWritten> {
    write_whole(path, body, links).map_err(|error| NotWritten::at(path, error))
}

/// The file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {}", legible_path(.0), .1)]
pub struct NotWritten(PathBuf, io::Error);

impl NotWritten {
    /// The error of the file at `path`.
    #[must_use]
    pub fn at(path: &Path, error: io::Error) -> Self {
        Self(path.to_owned(), error)
    }
}
