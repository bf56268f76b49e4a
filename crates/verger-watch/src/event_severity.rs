use std::fmt;

use serde::{Deserialize, Serialize};

/// How much an event matters to the owner of the site.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum EventSeverity {
    /// The meaning of the file changed, with little effect on crawlers that matter.
    #[default]
    Notice,
    /// A crawler that matters lost or gained the site, or the file differs from the expected one.
    Warning,
    /// A search engine lost the site, robots.txt is unreachable for too long, or a claim fails.
    Critical,
}

impl EventSeverity {
    /// All severities, the lowest first.
    pub const ALL: &'static [Self] = &[Self::Notice, Self::Warning, Self::Critical];

    /// Returns `notice`, `warning` or `critical`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

impl fmt::Display for EventSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
