//! `ChecksError`: why a directory of checks cannot be used.

use std::io;
use std::path::Path;

use verger_answer::text::legible;

use crate::identity::RangeDocumentError;

/// Why a directory of checks, or a file of it, cannot be used. `path` is safe to show.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChecksError {
    /// It cannot be read.
    #[error("cannot read `{path}`: {error}")]
    Read {
        /// The file or the directory.
        path: String,
        /// Why not.
        error: io::Error,
    },
    /// It cannot be written.
    #[error("cannot write `{path}`: {error}")]
    Write {
        /// The file.
        path: String,
        /// Why not.
        error: io::Error,
    },
    /// It is no document of ranges.
    #[error("`{path}`: {error}")]
    Content {
        /// The file.
        path: String,
        /// The defect.
        error: RangeDocumentError,
    },
    /// A line of it is not of the schema `verger.names/1`.
    #[error(
        "`{path}`, line {line}: it is no line of verger.names/1; without the file, names are asked again"
    )]
    Line {
        /// The file.
        path: String,
        /// The line, counted from 1.
        line: u64,
    },
}

impl ChecksError {
    pub(super) fn read(path: &Path, error: io::Error) -> Self {
        let path = shown(path);
        Self::Read { path, error }
    }

    pub(super) fn write(path: &Path, error: io::Error) -> Self {
        let path = shown(path);
        Self::Write { path, error }
    }
}

/// A path that is safe to show.
pub(super) fn shown(path: &Path) -> String {
    legible(path.to_string_lossy().as_bytes())
}
