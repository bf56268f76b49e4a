//! A file put in the place of another one, whole or not at all.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::octet_text::legible;

/// Puts another file in the place of one, so that a reader finds the one or the other.
///
/// # Errors
///
/// Where it cannot be written; then the file is as it was.
pub(crate) fn replace_file(path: &Path, body: &[u8]) -> Result<(), NotReplaced> {
    replace(path, body).map_err(|error| NotReplaced(path.to_owned(), error))
}

fn replace(path: &Path, body: &[u8]) -> io::Result<()> {
    // What a link names is replaced, not the link.
    let path = fs::canonicalize(path)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".verger-new");
    let beside = path.with_file_name(name);
    let write = || -> io::Result<()> {
        let mut file = File::create_new(&beside)?;
        file.write_all(body)?;
        file.set_permissions(fs::metadata(&path)?.permissions())?;
        file.sync_all()?;
        fs::rename(&beside, &path)
    };
    let written = write();
    let is_ours = |error: &io::Error| error.kind() != io::ErrorKind::AlreadyExists;
    if written.as_ref().is_err_and(is_ours) {
        // Nothing of it is left, where it can be removed.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// The file could not be written.
#[derive(Debug)]
pub(crate) struct NotReplaced(PathBuf, io::Error);

impl fmt::Display for NotReplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(path, error) = self;
        let path = legible(path.to_string_lossy().as_bytes());
        write!(f, "cannot write `{path}`: {error}")
    }
}

impl Error for NotReplaced {}
