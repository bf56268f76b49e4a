//! Where a file is written: at the end of links, in a directory.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// As many links are followed one after the other, as on Linux.
const LINKS_MAX: usize = 40;

/// The links at the place of a file that are followed. A link itself is never replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// All.
    Follow,
    /// Links that lead to a file of the same directory, or below it, and links of directories that stay in the
    /// working directory, where the path begins there. A user that may change a repository could make a link in it
    /// to any other file.
    WithinDirectory,
}

impl Links {
    /// Refuses a place to which these links do not lead.
    pub(crate) fn check(self, path: &Path) -> io::Result<()> {
        if self == Self::Follow {
            return Ok(());
        }
        let problem = if !is_in_directory_of(path, path)? {
            "it is a link to a file outside of its directory: name that file instead"
        } else if !fs::canonicalize(path)?.starts_with(fs::canonicalize(named_from(path))?) {
            "a directory of its path is a link out of the working directory: name the place where it leads instead"
        } else {
            return Ok(());
        };
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

/// Returns the directory that a path starts from: the working directory, or `..`
/// and the like where the path begins with them. Of an absolute path that is not below the working directory, the
/// file's own.
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

/// Returns the directory of a file; `.` for a name alone.
#[must_use]
pub fn directory_of(path: &Path) -> &Path {
    let directory = path.parent().filter(|it| *it != Path::new(""));
    directory.unwrap_or(Path::new("."))
}
