//! `UrlRecord`: a record of the whole file whose value is a URL.

use alloc::string::String;
use core::fmt;

use crate::absolute_url::is_absolute;
use verger::{LineNumber, Record};

/// A URL that the file names: a sitemap or a licence.
#[derive(Clone, Copy, Debug)]
pub struct UrlRecord<'r> {
    record: Record<'r>,
}

impl<'r> UrlRecord<'r> {
    /// Wraps the record, if it has a value.
    pub(crate) fn of(record: Record<'r>) -> Option<Self> {
        (!record.value().is_empty()).then_some(Self { record })
    }

    /// Returns the URL exactly as written.
    #[must_use]
    pub fn url(&self) -> &'r [u8] {
        self.record.value()
    }

    /// Returns whether the URL is absolute, as it must be: with a scheme and an authority. The
    /// authority may differ from that of the file.
    #[must_use]
    pub fn is_absolute(&self) -> bool {
        is_absolute(self.url())
    }

    /// Returns the line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.record.line()
    }

    /// Returns the record.
    #[must_use]
    pub fn record(&self) -> Record<'r> {
        self.record
    }
}

impl fmt::Display for UrlRecord<'_> {
    /// Writes the URL. Invalid UTF-8 is replaced.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.url()))
    }
}
