//! Where a file is written: at the end of links, in a directory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// As many links are followed one after the other, as on Linux.
const LINKS_MAX: usize = 40;

/// The links at the place of a file that are followed. A link itself is never replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// All.
    Follow,
    /// Links that lead to a file of the same directory, or below it. A user that may change a repository could
    /// make a link in it to any other file.
    WithinDirectory,
}

impl Links {
    /// Refuses a place to which these links do not lead.
    pub(crate) fn check(self, path: &Path) -> io::Result<()> {
        if self == Self::Follow {
            return Ok(());
        }
        if is_in_directory_of(path, path)? {
            return Ok(());
        }
        let problem = "it is a link to a file outside of its directory: name that file instead";
        Err(io::Error::new(io::ErrorKind::PermissionDenied, problem))
    }
}

/// Follows links, also to where nothing is yet.
#[must_use]
pub fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(target) = fs::read_link(&end) else {
            break;
        };
        end = directory_of(&end).join(target);
    }
    end
}

/// Whether the links at `path` end in the directory of `file`, or below it.
///
/// # Errors
///
/// Where one of them is not there, or cannot be read.
pub fn is_in_directory_of(file: &Path, path: &Path) -> io::Result<bool> {
    let directory = fs::canonicalize(directory_of(file))?;
    Ok(fs::canonicalize(path)?.starts_with(directory))
}

/// Returns the directory of a file; `.` for a name alone.
#[must_use]
pub fn directory_of(path: &Path) -> &Path {
    let directory = path.parent().filter(|it| *it != Path::new(""));
    directory.unwrap_or(Path::new("."))
}
