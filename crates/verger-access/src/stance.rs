//! `Stance`: what a crawler may fetch from an authority.

use std::fmt;

/// What a profile concludes from what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stance {
    /// The rules of the body decide.
    Rules,
    /// Everything is allowed.
    Open,
    /// Everything is disallowed.
    Closed,
    /// The rules of the last good body decide.
    Copy,
    /// Everything is disallowed for now; the robots.txt is to be fetched again.
    Defer,
}

impl Stance {
    /// `rules`, `open`, `closed`, `copy` or `defer`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Copy => "copy",
            Self::Defer => "defer",
        }
    }
}

impl fmt::Display for Stance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
