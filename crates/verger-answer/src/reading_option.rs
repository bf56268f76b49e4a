//! Reading options by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use verger::Reading;
use verger::dialect::{AgentList, AllowLines, EncodingMismatch, LenientLines, OtherRecords};

/// A reading option, off by default. `Display` writes its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadingOption {
    /// [`OtherRecords::Lenient`].
    LenientOtherRecords,
    /// [`LenientLines::Read`].
    LenientLines,
    /// [`AllowLines::Ignored`].
    IgnoreAllow,
    /// [`EncodingMismatch::Bridge`].
    BridgeEncodings,
    /// [`AgentList::CommaSeparated`].
    CommaAgents,
}

impl ReadingOption {
    /// All options.
    pub const ALL: &'static [Self] = &[
        Self::LenientOtherRecords,
        Self::LenientLines,
        Self::IgnoreAllow,
        Self::BridgeEncodings,
        Self::CommaAgents,
    ];

    /// Returns the name used on the command line and in bindings.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LenientOtherRecords => "lenient-other-records",
            Self::LenientLines => "lenient-lines",
            Self::IgnoreAllow => "ignore-allow",
            Self::BridgeEncodings => "bridge-encodings",
            Self::CommaAgents => "comma-agents",
        }
    }

    /// Describes the option for help pages.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::LenientOtherRecords => {
                "Also read misspelt other records, such as `site-map` (RFC 9309 2.2.4)"
            }
            Self::LenientLines => "Read misspelt keys and missing colons as Google's library does",
            Self::IgnoreAllow => "Ignore Allow lines, which disallows more (Koster 1996, 4.1)",
            Self::BridgeEncodings => {
                "Decode UTF-16, and read other bytes that are not UTF-8 as Latin-1"
            }
            Self::CommaAgents => "Read several names on one user-agent line, separated by commas",
        }
    }

    /// Returns the reading with this option.
    #[must_use]
    pub fn set(self, reading: Reading) -> Reading {
        match self {
            Self::LenientOtherRecords => reading.with_other_records(OtherRecords::Lenient),
            Self::LenientLines => reading.with_lenient_lines(LenientLines::Read),
            Self::IgnoreAllow => reading.with_allow_lines(AllowLines::Ignored),
            Self::BridgeEncodings => reading.with_encoding_mismatch(EncodingMismatch::Bridge),
            Self::CommaAgents => reading.with_agent_list(AgentList::CommaSeparated),
        }
    }

    /// Returns whether a reading has this option.
    #[must_use]
    pub fn is_set(self, reading: &Reading) -> bool {
        self.set(*reading) == *reading
    }
}

impl fmt::Display for ReadingOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for ReadingOption {
    type Err = UnknownReadingOption;

    fn from_str(name: &str) -> Result<Self, UnknownReadingOption> {
        let found = Self::ALL.iter().find(|it| it.as_str() == name);
        found.copied().ok_or(UnknownReadingOption)
    }
}

/// The name is not that of a [`ReadingOption`]. `Display` lists the valid names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected one of {}", names())]
pub struct UnknownReadingOption;

fn names() -> String {
    let names = ReadingOption::ALL.iter().map(|it| it.as_str());
    names.collect::<Vec<_>>().join(", ")
}
