//! Files and standard input, whole.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use crate::octet_text::start_of;

/// Where something is read from: a file, or standard input for `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
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
            Self::File(path) => write!(f, "`{}`", start_of(&path.to_string_lossy())),
        }
    }
}

impl Source {
    /// Opens it.
    ///
    /// # Errors
    ///
    /// Where the file cannot be opened.
    pub(crate) fn open(&self) -> Result<Box<dyn Read>, InputError> {
        match self {
            Self::Stdin => Ok(Box::new(io::stdin().lock())),
            Self::File(path) => match File::open(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(error) => Err(self.unreadable(error)),
            },
        }
    }

    /// Reads all of it.
    ///
    /// # Errors
    ///
    /// Where it cannot be opened or read.
    pub(crate) fn read(&self) -> Result<Vec<u8>, InputError> {
        let mut octets = Vec::new();
        match self.open()?.read_to_end(&mut octets) {
            Ok(_) => Ok(octets),
            Err(error) => Err(self.unreadable(error)),
        }
    }

    /// The error of a failed read from it.
    pub(crate) fn unreadable(&self, error: io::Error) -> InputError {
        let source = self.clone();
        InputError { source, error }
    }
}

/// Something cannot be read.
#[derive(Debug)]
pub(crate) struct InputError {
    source: Source,
    error: io::Error,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: ", self.source)?;
        match self.error.kind() {
            io::ErrorKind::NotFound => f.write_str("there is no such file"),
            io::ErrorKind::IsADirectory => f.write_str("it is a directory"),
            io::ErrorKind::PermissionDenied => f.write_str("permission denied"),
            _ => self.error.fmt(f),
        }
    }
}

impl std::error::Error for InputError {}
