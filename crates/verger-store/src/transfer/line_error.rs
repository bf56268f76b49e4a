//! `LineError`: the defect of a line of an import.

use crate::body_hash::BodyHash;

/// The schema of every line.
pub(crate) const SCHEMA: &str = "verger.store/1";

/// The kinds of lines.
pub(crate) const BODY: &str = "body";
pub(crate) const SNAPSHOT: &str = "snapshot";

/// A defect of a line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// The line is longer than any line of an export.
    #[error("the line is longer than any line of an export")]
    TooLong,
    /// The line is not JSON, or lacks keys of its kind.
    #[error("not a line of an export: {0}")]
    Unreadable(#[source] serde_json::Error),
    /// The line has another schema.
    #[error("the schema is `{0:.40}`, not {SCHEMA}")]
    OtherSchema(String),
    /// The line is neither a body nor a snapshot.
    #[error("the kind is `{0:.40}`, not {BODY} or {SNAPSHOT}")]
    OtherKind(String),
    /// No store writes this value for the key.
    #[error("the value of `{0}` is not valid")]
    InvalidValue(&'static str),
    /// The hash of a body is this one, not the stated one.
    #[error("the SHA-256 does not match: the bytes hash to {0}")]
    OtherHash(BodyHash),
    /// A body with this hash is neither on an earlier line nor in the store.
    #[error("no earlier line contains the body {0}")]
    BodyMissing(BodyHash),
    /// The authority comes before that of the previous line, and no more exports may begin.
    #[error("the authorities are not in the order of an export: import fewer exports at once")]
    OutOfOrder,
}
