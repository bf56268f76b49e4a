//! The kind of source that an entry is based on.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::unknown_name::UnknownName;

/// The kind of source of the facts about a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// The operator's own page was read.
    Operator,
    /// Some of the facts are only known from lists or quotations by others.
    SecondHand,
}

impl Evidence {
    /// All values.
    pub const ALL: &'static [Self] = &[Self::Operator, Self::SecondHand];

    /// Returns the value as the registry file writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::SecondHand => "second-hand",
        }
    }
}

impl FromStr for Evidence {
    type Err = UnknownName;

    /// Parses a value of the registry file.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::find(name, Self::ALL, Self::as_str)
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
