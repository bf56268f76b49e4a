/// An input could not be read. The text says why and, if possible, how to fix it.
///
/// Callers create it from any text: `Err("no such file".into())`.
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
