//! `FileName`: the name of a file as it was given, in JSON.

use crate::text::json_text;

/// The name of a file.
#[derive(Clone, Debug)]
pub struct FileName {
    text: String,
    base64: Option<String>,
}

impl FileName {
    /// Takes the bytes of a name.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let (text, base64) = json_text(bytes);
        Self {
            text: text.into_owned(),
            base64,
        }
    }

    /// The name, with U+FFFD for what is not UTF-8.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Its bytes, where the text is not all of it.
    pub(super) fn base64(&self) -> Option<&str> {
        self.base64.as_deref()
    }
}
