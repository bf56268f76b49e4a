//! Severities of findings.

use std::fmt;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "report",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Severity {
    /// The finding is good to know. The file may well mean what its owner means.
    Note,
    /// The file probably does not mean what its owner means, or not to every crawler.
    Warning,
    /// The file certainly does not mean what its text seems to mean.
    Error,
}

impl Severity {
    /// All severities, the lowest first.
    pub const ALL: &'static [Self] = &[Self::Note, Self::Warning, Self::Error];

    /// Returns `note`, `warning` or `error`.
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
