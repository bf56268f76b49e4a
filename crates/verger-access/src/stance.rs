//! `Stance`: how a crawler treats an authority.

use std::fmt;
use std::str::FromStr;

use crate::unknown_code::UnknownCode;

/// How to treat the URLs of an authority, as a profile concludes from what is known.
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
    /// Everything is disallowed for now, until the robots.txt has been fetched again.
    Defer,
}

impl Stance {
    /// All variants.
    pub const ALL: &'static [Self] = &[
        Self::Rules,
        Self::Open,
        Self::Closed,
        Self::Copy,
        Self::Defer,
    ];

    /// Returns `rules`, `open`, `closed`, `copy` or `defer`.
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

impl FromStr for Stance {
    type Err = UnknownCode;

    /// Parses the result of [`Stance::as_str`].
    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        let mut all = Self::ALL.iter().copied();
        let found = all.find(|stance| stance.as_str() == name);
        found.ok_or_else(|| UnknownCode::of("stance"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stance_comes_back_from_its_name() {
        for &stance in Stance::ALL {
            assert_eq!(stance.as_str().parse(), Ok(stance));
        }
        assert!("".parse::<Stance>().is_err());
    }
}
