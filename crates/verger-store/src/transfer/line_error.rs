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
    #[error("the line is longer than any of an export")]
    TooLong,
    /// The line is not JSON, or lacks keys of its kind.
    #[error("it cannot be read: {0}")]
    Unreadable(#[source] serde_json::Error),
    /// The line has another schema.
    #[error("its schema is `{0:.40}`, and should be {SCHEMA}")]
    OtherSchema(String),
    /// The line is neither a body nor a snapshot.
    #[error("its kind is `{0:.40}`, and should be {BODY} or {SNAPSHOT}")]
    OtherKind(String),
    /// No store writes this value for the key.
    #[error("the value of `{0}` is not valid")]
    InvalidValue(&'static str),
    /// The hash of a body is this one, not the stated one.
    #[error("the SHA-256 of its bytes is {0}")]
    OtherHash(BodyHash),
    /// A body with this hash is neither on an earlier line nor in the store.
    #[error("its body {0} is on no line before")]
    BodyMissing(BodyHash),
    /// The authority comes before that of the previous line, and no more exports may begin.
    #[error("the authorities are not in order as in an export: import fewer exports at once")]
    OutOfOrder,
}
