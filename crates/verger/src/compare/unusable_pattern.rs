//! `UnusablePattern`: why the value of a rule matches nothing.

use core::fmt;

/// Why a value cannot match anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnusablePattern {
    /// It is empty: a rule without a path, which says nothing. R9309-2.2-5, G-syn-4.
    Empty,
    /// It starts with neither `/` nor a special `*`, and every target starts with `/`.
    /// V-33.
    NoLeadingSlash,
}

impl fmt::Display for UnusablePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the path-pattern is empty",
            Self::NoLeadingSlash => "the path-pattern starts with neither `/` nor a special `*`",
        })
    }
}

impl core::error::Error for UnusablePattern {}
