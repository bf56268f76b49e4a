//! `ReadError`: why something could not be read, in words.

/// An input could not be read. The text says why, and what to do about it if there is something to do.
///
/// Sources that callers implement return it, so it is made of any text: `Err("no such file".into())`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(String);

impl ReadError {
    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for ReadError {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}

impl From<&str> for ReadError {
    fn from(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}
