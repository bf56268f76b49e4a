use std::io;

/// A file cannot be read any further. Damage is not an error but a row.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// The file cannot be read.
    #[error("cannot read `{file}`{}: {error}", after(*offset))]
    Io {
        /// The file.
        file: String,
        /// Number of bytes read before. 0 is omitted from the message.
        offset: u64,
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// The file does not start with a WARC record.
    #[error(
        "`{file}` is not a WARC file: it does not start with a record, plain or compressed with gzip or Zstandard"
    )]
    NotWarc {
        /// The file.
        file: String,
    },
}

fn after(offset: u64) -> String {
    match offset {
        0 => String::new(),
        offset => format!(" after offset {offset}"),
    }
}
