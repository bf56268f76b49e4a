//! `CaptureError`: the error that ends the reading of a file.

use std::io;

/// Why reading a file ended. Damage does not end it: it is a row.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// The file cannot be read.
    #[error("cannot read `{file}`{}: {error}", after(*offset))]
    Io {
        /// Which file.
        file: String,
        /// How many bytes of it were read; with 0 the text does not say so.
        offset: u64,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The file does not begin with a WARC record.
    #[error(
        "`{file}` is no WARC file: no record begins at its beginning (gzip, Zstandard and plain bytes are read)"
    )]
    NotWarc {
        /// Which file.
        file: String,
    },
}

fn after(offset: u64) -> String {
    match offset {
        0 => String::new(),
        offset => format!(" after offset {offset}"),
    }
}
