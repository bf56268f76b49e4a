//! `WebError`: why a request other than for a robots.txt failed.

use std::fmt::Display;

/// A request failed. The text says how.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WebError(String);

impl WebError {
    pub(super) fn new(reason: impl Display) -> Self {
        Self(reason.to_string())
    }
}
