//! Replaces a file, whole or not at all, with an error that names it.

use std::io;
use std::path::{Path, PathBuf};

use super::byte_text::legible_path;
use super::output_place::Links;
use super::whole_file::write_whole;

/// Writes a file, replacing an existing one. A reader never sees part of it. Links stay, and a
/// replaced file passes on its permissions and owner. A FIFO or device is written directly.
///
/// # Errors
///
/// Returns an error if the file cannot be written. An existing file is then unchanged.
pub fn put_file(path: &Path, body: &[u8], links: Links) -> Result<(), NotWritten> {
    write_whole(path, body, links).map_err(|error| NotWritten::at(path, error))
}

/// The file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {}", legible_path(.0), .1)]
pub struct NotWritten(PathBuf, io::Error);

impl NotWritten {
    /// Returns the error for the file at `path`.
    #[must_use]
    pub fn at(path: &Path, error: io::Error) -> Self {
        Self(path.to_owned(), error)
    }
}
