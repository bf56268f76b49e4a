//! `UnknownName`: a text that is none of the names that are expected.

use std::fmt;

/// A text is none of the names that are expected. Displays with all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    text: String,
    expected: Vec<&'static str>,
}

impl UnknownName {
    /// The value of `all` that is called `text`.
    pub(crate) fn find<T: Copy>(
        text: &str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Result<T, Self> {
        let found = all.iter().copied().find(|&value| name(value) == text);
        found.ok_or_else(|| Self {
            text: text.to_owned(),
            expected: all.iter().copied().map(name).collect(),
        })
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names that are expected.
    #[must_use]
    pub fn expected(&self) -> &[&'static str] {
        &self.expected
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = self.expected.join(", ");
        write!(f, "`{}` is none of {expected}", self.text)
    }
}

impl std::error::Error for UnknownName {}
