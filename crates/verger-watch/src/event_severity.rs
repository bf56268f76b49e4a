use std::fmt;

use serde::{Deserialize, Serialize};

/// How much an event matters to the owner of the site.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum EventSeverity {
    /// Something means something else.
    #[default]
    Notice,
    /// A crawler that matters gained or lost the site, or something else that the owner stated is not so.
    Warning,
    /// Visitors from search are at stake, or a claim fails.
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
