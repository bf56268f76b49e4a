//! `Source`: a file or standard input, read whole.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use verger_answer::text::start_of;

use super::byte_text::legible_path;
use super::repository_file;

/// An input: a file, or standard input for `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl From<OsString> for Source {
    fn from(name: OsString) -> Self {
        if name == "-" {
            Self::Stdin
        } else {
            Self::File(name.into())
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => write!(f, "`{}`", start_of(&legible_path(path))),
        }
    }
}

impl Source {
    /// Opens the input.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened.
    pub fn open(&self) -> Result<Box<dyn Read>, InputError> {
        match self {
            Self::Stdin => Ok(Box::new(io::stdin().lock())),
            Self::File(path) => {
                let file = if is_link(path) {
                    repository_file::open(path)
                } else {
                    File::open(path)
                };
                Ok(Box::new(file.map_err(|error| self.unreadable(error))?))
            }
        }
    }

    /// Reads all of the input.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be opened or read, or is larger than 256 MiB.
    pub fn read(&self) -> Result<Vec<u8>, InputError> {
        let read = repository_file::read_to_end(self.open()?);
        read.map_err(|error| self.unreadable(error))
    }

    /// Refuses an existing path that is neither a regular file nor a directory, because a FIFO or
    /// device cannot be read and then replaced. Does not check standard input.
    ///
    /// # Errors
    ///
    /// Returns an error if the path is, for example, a FIFO or a device.
    pub fn check_regular(&self) -> Result<(), InputError> {
        let there = self.path().and_then(|path| fs::metadata(path).ok());
        match there {
            Some(there) if !there.is_file() && !there.is_dir() => {
                Err(self.unreadable(io::Error::other("it is not a regular file")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the name as given, or `-` for standard input.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Stdin => "-".into(),
            Self::File(path) => path.to_string_lossy(),
        }
    }

    /// Returns the path, or `None` for standard input.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// Returns the error for a failed read of this input.
    #[must_use]
    pub fn unreadable(&self, error: io::Error) -> InputError {
        let source_name = self.clone();
        InputError { source_name, error }
    }
}

/// Reads a regular file of a repository.
///
/// # Errors
///
/// Returns an error if the file is not regular, is larger than 256 MiB, or cannot be read.
pub fn read_regular(path: &Path) -> Result<Vec<u8>, InputError> {
    let read = repository_file::open(path).and_then(repository_file::read_to_end);
    read.map_err(|error| Source::File(path.to_owned()).unreadable(error))
}

/// Returns whether a path is a link that a repository may contain. Links in `/dev` and `/proc` to
/// the open files of a process are not.
fn is_link(path: &Path) -> bool {
    let is_of_the_system = path.starts_with("/dev") || path.starts_with("/proc");
    !is_of_the_system && path.is_symlink()
}

/// An input cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {source_name}: {}", reason(.error))]
pub struct InputError {
    source_name: Source,
    error: io::Error,
}

impl InputError {
    /// Returns the input.
    #[must_use]
    pub fn input(&self) -> &Source {
        &self.source_name
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
