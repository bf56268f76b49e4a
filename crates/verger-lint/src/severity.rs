//! `Severity`: how much a finding matters.

use std::fmt;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "report",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Severity {
    /// Good to know; the file may well be as its owner means it.
    Note,
    /// The file probably does not say what its owner means, or not to every crawler.
    Warning,
    /// The file certainly says something else than what is written there seems to mean.
    Error,
}

impl Severity {
    /// All severities, the least first.
    pub const ALL: &'static [Self] = &[Self::Note, Self::Warning, Self::Error];

    /// `note`, `warning` or `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
