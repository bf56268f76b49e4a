use std::fmt::Display;

/// A request for a file other than robots.txt failed, for the reason in the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WebError(String);

impl WebError {
    pub(super) fn new(reason: impl Display) -> Self {
        Self(reason.to_string())
    }
}
