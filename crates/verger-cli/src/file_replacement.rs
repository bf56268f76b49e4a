//! A file put in the place of another one, whole or not at all.

use std::error::Error;
use std::fmt;
use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::octet_text::legible;
use crate::output_place::end_of_links;

/// Puts another file in the place of one, so that a reader finds the one or the other.
///
/// # Errors
///
/// Where it cannot be written; then the file is as it was.
pub(crate) fn replace_file(path: &Path, body: &[u8]) -> Result<(), NotReplaced> {
    replace(path, body).map_err(|failure| NotReplaced(path.to_owned(), failure))
}

/// Puts a file there, in the place of another one if there is one, so that a reader finds the one, the
/// other, or none. Links stay, and a file keeps its permissions; a FIFO or a device is written as it is.
///
/// # Errors
///
/// Where it cannot be written; then what was there is as it was.
pub(crate) fn put_file(path: &Path, body: &[u8]) -> Result<(), NotReplaced> {
    let written = put_at_end_of_links(path, body);
    written.map_err(|failure| NotReplaced(path.to_owned(), failure))
}

/// Makes an empty file beside a place and removes it, which shows whether [`put_file`] can make one there.
///
/// # Errors
///
/// Where none can be made.
pub(crate) fn try_beside(place: &Path) -> io::Result<()> {
    let beside = beside_of_process(place);
    File::create_new(&beside)?;
    fs::remove_file(beside)
}

/// Whether a file is one that was being written when a run was interrupted.
pub(crate) fn is_unfinished(name: &str) -> bool {
    name.ends_with(NEW)
}

/// What the name of a file ends with while it is written.
const NEW: &str = ".verger-new";

fn beside(path: &Path, mark: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(mark);
    path.with_file_name(name)
}

/// Another run may write the same file now.
fn beside_of_process(place: &Path) -> PathBuf {
    beside(place, &format!(".{}{NEW}", std::process::id()))
}

fn replace(path: &Path, body: &[u8]) -> Result<(), Failure> {
    // What a link names is replaced, not the link.
    let path = fs::canonicalize(path)?;
    let permissions = fs::metadata(&path)?.permissions();
    put(&path, &beside(&path, NEW), body, Some(permissions))
}

fn put_at_end_of_links(path: &Path, body: &[u8]) -> Result<(), Failure> {
    let (place, permissions) = match fs::metadata(path) {
        Ok(there) if there.is_file() => (fs::canonicalize(path)?, Some(there.permissions())),
        Ok(_) => {
            let mut file = File::options().write(true).open(path)?;
            return Ok(file.write_all(body)?);
        }
        Err(_) => (end_of_links(path), None),
    };
    put(&place, &beside_of_process(&place), body, permissions)
}

fn put(
    path: &Path,
    beside: &Path,
    body: &[u8],
    permissions: Option<Permissions>,
) -> Result<(), Failure> {
    let mut file = File::create_new(beside).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::InTheWay(beside.to_owned()),
        _ => Failure::Io(error),
    })?;
    let write = || -> io::Result<()> {
        file.write_all(body)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        fs::rename(beside, path)
    };
    let written = write();
    if written.is_err() {
        // Nothing of it is left, where it can be removed.
        let _ = fs::remove_file(beside);
    }
    Ok(written?)
}

/// The file could not be written.
#[derive(Debug)]
pub(crate) struct NotReplaced(PathBuf, Failure);

/// Why.
#[derive(Debug)]
enum Failure {
    /// The new file cannot be made, because a file has its name.
    InTheWay(PathBuf),
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for NotReplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(path, failure) = self;
        let shown = |path: &Path| legible(path.to_string_lossy().as_bytes());
        write!(f, "cannot write `{}`: ", shown(path))?;
        match failure {
            Failure::InTheWay(beside) => write!(
                f,
                "`{}` is in the way; it is left over from a run that was interrupted, unless another \
                 one is writing now: remove it, then try again",
                shown(beside)
            ),
            Failure::Io(error) => error.fmt(f),
        }
    }
}

impl Error for NotReplaced {}
