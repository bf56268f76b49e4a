use std::io;
use std::path::Path;

use verger_answer::text::legible;

use crate::identity::RangeDocumentError;

/// A check directory or a file in it cannot be used. `path` is safe to print.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChecksError {
    /// The file or directory cannot be read.
    #[error("cannot read `{path}`: {error}")]
    Read {
        /// The file or directory.
        path: String,
        /// The cause.
        error: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write `{path}`: {error}")]
    Write {
        /// The file.
        path: String,
        /// The cause.
        error: io::Error,
    },
    /// The file is not an address range document.
    #[error("`{path}`: {error}")]
    Content {
        /// The file.
        path: String,
        /// The problem.
        error: RangeDocumentError,
    },
    /// A line does not follow the schema `verger.names/1`.
    #[error(
        "`{path}`, line {line}: it does not follow verger.names/1: remove the file to query the names again"
    )]
    Line {
        /// The file.
        path: String,
        /// The line number, from 1.
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

pub(super) fn shown(path: &Path) -> String {
    legible(path.to_string_lossy().as_bytes())
}
