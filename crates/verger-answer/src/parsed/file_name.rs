use crate::text::json_text;

/// The name of a file as given, for JSON.
#[derive(Clone, Debug)]
pub struct FileName {
    text: String,
    base64: Option<String>,
}

impl FileName {
    /// Creates a name from bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let (text, base64) = json_text(bytes);
        Self {
            text: text.into_owned(),
            base64,
        }
    }

    /// Returns the name, with U+FFFD in place of bytes that are not UTF-8.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the bytes if the text lost some.
    pub(super) fn base64(&self) -> Option<&str> {
        self.base64.as_deref()
    }
}
