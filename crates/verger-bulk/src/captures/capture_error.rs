//! `CaptureError`: what ends the reading of a file.

use std::error::Error;
use std::fmt;
use std::io;

/// Why reading a file ended. Damage does not end it: it is a row.
#[derive(Debug)]
#[non_exhaustive]
pub enum CaptureError {
    /// The file cannot be read.
    Io {
        /// Which file.
        file: String,
        /// How many octets of it were read; with 0 the text does not say so.
        offset: u64,
        /// Why.
        error: io::Error,
    },
    /// The file does not begin with a WARC record.
    NotWarc {
        /// Which file.
        file: String,
    },
}

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io {
                file,
                offset,
                error,
            } if *offset == 0 => write!(f, "cannot read `{file}`: {error}"),
            Self::Io {
                file,
                offset,
                error,
            } => {
                write!(f, "cannot read `{file}` after offset {offset}: {error}")
            }
            Self::NotWarc { file } => write!(
                f,
                "`{file}` is no WARC file: no record begins at its beginning (gzip, Zstandard and plain \
                 octets are read)"
            ),
        }
    }
}

impl Error for CaptureError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            Self::NotWarc { .. } => None,
        }
    }
}
