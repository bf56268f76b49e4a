//! Whether a crawler obeys robots.txt, according to its operator.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::unknown_name::UnknownName;

/// Whether a crawler obeys robots.txt, as stated by its operator (not as observed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Obeys {
    /// The operator states that it does.
    Yes,
    /// The operator states that it does not fetch or does not obey robots.txt.
    No,
    /// The operator does not mention it, says "may not", or leaves it to the users of the software.
    Unclear,
}

impl Obeys {
    /// All values.
    pub const ALL: &'static [Self] = &[Self::Yes, Self::No, Self::Unclear];

    /// Returns the value as the registry file writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unclear => "unclear",
        }
    }
}

impl FromStr for Obeys {
    type Err = UnknownName;

    /// Parses a value of the registry file.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::find(name, Self::ALL, Self::as_str)
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
