//! Resolves links and finds the directory of an output.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Maximum number of links followed in a row, the same as on Linux.
const LINKS_MAX: usize = 40;

/// Which links at the path of an output are followed. A link itself is never replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Follow all links.
    Follow,
    /// Follow links to files in the same directory or below it, and directory links that stay in
    /// the working directory if the path starts there. Otherwise anyone who can change a repository
    /// could add a link from it to any other file.
    WithinDirectory,
}

impl Links {
    /// Refuses a path that these links may not reach.
    pub(crate) fn check(self, path: &Path) -> io::Result<()> {
        if self == Self::Follow {
            return Ok(());
        }
        let problem = if !is_in_directory_of(path, path)? {
            "it is a link to a file outside its directory: name that file instead"
        } else if !fs::canonicalize(path)?.starts_with(fs::canonicalize(named_from(path))?) {
            "its path goes through a link out of the working directory: name the target of the link instead"
        } else {
            return Ok(());
        };
        Err(io::Error::new(io::ErrorKind::PermissionDenied, problem))
    }
}

/// Follows links to their end, even if nothing exists there yet.
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

/// Returns whether the links at `path` end in the directory of `file` or below it.
///
/// # Errors
///
/// Returns an error if a link or its target does not exist or cannot be read.
pub fn is_in_directory_of(file: &Path, path: &Path) -> io::Result<bool> {
    let directory = fs::canonicalize(directory_of(file))?;
    Ok(fs::canonicalize(path)?.starts_with(directory))
}

/// Returns the directory where a path starts: the working directory, or the leading `..` and `.`
/// components of the path. For an absolute path outside the working directory, returns the
/// directory of the file.
fn named_from(path: &Path) -> PathBuf {
    let working = std::env::current_dir().unwrap_or_default();
    if path.is_absolute() {
        let is_below = path.starts_with(&working);
        return if is_below {
            working
        } else {
            directory_of(path).to_owned()
        };
    }
    let dots = |it: &Component<'_>| matches!(it, Component::CurDir | Component::ParentDir);
    Path::new(".").join(path.components().take_while(dots).collect::<PathBuf>())
}

/// Returns the directory of a file, or `.` for a bare name.
#[must_use]
pub fn directory_of(path: &Path) -> &Path {
    let directory = path.parent().filter(|it| *it != Path::new(""));
    directory.unwrap_or(Path::new("."))
}
