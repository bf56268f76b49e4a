//! `UnknownName`: a text that is not one of the expected names.

/// The text is not one of the expected names. The message lists them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown name `{text}`: use one of {}", expected.join(", "))]
pub struct UnknownName {
    text: String,
    expected: Vec<&'static str>,
}

impl UnknownName {
    /// Finds the value of `all` with this name.
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

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the expected names.
    #[must_use]
    pub fn expected(&self) -> &[&'static str] {
        &self.expected
    }
}
