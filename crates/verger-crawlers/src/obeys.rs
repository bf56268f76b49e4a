//! Whether a crawler obeys robots.txt, by its operator's own statement.

use std::fmt;

use serde::{Serialize, Serializer};

/// Whether a crawler obeys robots.txt, as its operator says (not as observed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obeys {
    /// The operator says that it obeys.
    Yes,
    /// The operator says that it does not ask, or does not obey.
    No,
    /// The operator says nothing, says "may not", or leaves it to those who run it.
    Unclear,
}

impl Obeys {
    /// Every answer.
    pub const ALL: [Self; 3] = [Self::Yes, Self::No, Self::Unclear];

    /// The answer as the registry file writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unclear => "unclear",
        }
    }

    /// The answer that the registry file writes as `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|obeys| obeys.as_str() == name)
    }
}

impl fmt::Display for Obeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Obeys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
