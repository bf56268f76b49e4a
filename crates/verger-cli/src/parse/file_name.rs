//! `FileName`: the name of a file as it was given, in JSON.

use std::ffi::OsStr;

use crate::octet_text::{argument_octets, json_text};

/// The name of a file.
pub(super) struct FileName {
    text: String,
    base64: Option<String>,
}

impl FileName {
    pub(super) fn of(name: &OsStr) -> Self {
        let octets = argument_octets(name);
        let (text, base64) = json_text(&octets);
        Self {
            text: text.into_owned(),
            base64,
        }
    }

    /// The name, with U+FFFD for what is not UTF-8.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Its octets, where the text is not all of it.
    pub(super) fn base64(&self) -> Option<&str> {
        self.base64.as_deref()
    }
}
