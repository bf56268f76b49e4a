//! Whether a crawler obeys Crawl-delay.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::unknown_name::UnknownName;

/// Whether a crawler obeys Crawl-delay lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CrawlDelay {
    /// The crawler waits as requested, within limits of its own.
    Honoured,
    /// The crawler does not read the line.
    Ignored,
}

impl CrawlDelay {
    /// All values.
    pub const ALL: &'static [Self] = &[Self::Honoured, Self::Ignored];

    /// Returns the value as the registry file writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Honoured => "honoured",
            Self::Ignored => "ignored",
        }
    }
}

impl FromStr for CrawlDelay {
    type Err = UnknownName;

    /// Parses a value of the registry file.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::find(name, Self::ALL, Self::as_str)
    }
}

impl fmt::Display for CrawlDelay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for CrawlDelay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
