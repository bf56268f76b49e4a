//! `LineError`: what is wrong with a line of an import.

use std::fmt;

use crate::body_hash::BodyHash;

/// The schema of every line.
pub(crate) const SCHEMA: &str = "verger.store/1";

/// The kinds of lines.
pub(crate) const BODY: &str = "body";
pub(crate) const SNAPSHOT: &str = "snapshot";

/// What is wrong with a line.
#[derive(Debug)]
#[non_exhaustive]
pub enum LineError {
    /// It is longer than any line of an export.
    TooLong,
    /// It is no JSON, or lacks keys of its kind.
    Unreadable(serde_json::Error),
    /// It has another schema.
    OtherSchema(String),
    /// It is neither a body nor a snapshot.
    OtherKind(String),
    /// The value of this key is none that a store writes.
    InvalidValue(&'static str),
    /// The hash of a body is not the stated one, but this one.
    OtherHash(BodyHash),
    /// A body of this hash is neither on a line before nor in the store.
    BodyMissing(BodyHash),
    /// Its authority comes before that of the line before, once more than exports may follow each
    /// other.
    OutOfOrder,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => f.write_str("the line is longer than any of an export"),
            Self::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            Self::OtherSchema(schema) => {
                write!(f, "its schema is `{schema:.40}`, and should be {SCHEMA}")
            }
            Self::OtherKind(kind) => {
                write!(
                    f,
                    "its kind is `{kind:.40}`, and should be {BODY} or {SNAPSHOT}"
                )
            }
            Self::InvalidValue(key) => write!(f, "the value of `{key}` is not valid"),
            Self::OtherHash(hash) => write!(f, "the SHA-256 of its octets is {hash}"),
            Self::BodyMissing(hash) => write!(f, "its body {hash} is on no line before"),
            Self::OutOfOrder => f.write_str(
                "the authorities are not in order as in an export: import fewer exports at once",
            ),
        }
    }
}

impl std::error::Error for LineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::TooLong
            | Self::OutOfOrder
            | Self::OtherSchema(_)
            | Self::OtherKind(_)
            | Self::InvalidValue(_)
            | Self::OtherHash(_)
            | Self::BodyMissing(_) => None,
        }
    }
}
