//! Whether a crawler heeds Crawl-delay.

use std::fmt;

use serde::{Serialize, Serializer};

/// Whether a crawler heeds a Crawl-delay line, where a source says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrawlDelay {
    /// It waits as told, within limits of its own.
    Honoured,
    /// It does not read the line.
    Ignored,
}

impl CrawlDelay {
    /// Both answers.
    pub const ALL: [Self; 2] = [Self::Honoured, Self::Ignored];

    /// The answer as the registry file writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Honoured => "honoured",
            Self::Ignored => "ignored",
        }
    }

    /// The answer that the registry file writes as `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|delay| delay.as_str() == name)
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
