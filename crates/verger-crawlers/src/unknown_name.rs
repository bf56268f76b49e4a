//! `UnknownName`: a text that is none of the names that are expected.

/// A text is none of the names that are expected. Displays with all of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is none of {}", expected.join(", "))]
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
