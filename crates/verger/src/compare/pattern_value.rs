//! The value of an allow or disallow line, before it is compiled: whether it can match anything, its
//! anchor, and the directory that it stands for in `google`.

use alloc::vec::Vec;
use core::fmt;

use crate::compare::bytes;
use crate::dialect::Comparison;

/// Returns the pattern `…/$` that Google's library derives from an Allow of `…/index.htm…`.
/// GL-rank-2.
pub(crate) fn google_directory_of_index_page(value: &[u8]) -> Option<Vec<u8>> {
    let mut escaped = bytes::google_escaped(value);
    let slash = memchr::memrchr(b'/', &escaped)?;
    if !escaped[slash..].starts_with(b"/index.htm") {
        return None;
    }
    escaped.truncate(slash + 1);
    escaped.push(b'$');
    check_usable(&escaped, Comparison::Bytes).ok()?;
    Some(escaped)
}

/// Checks the first byte, which decides.
pub(crate) fn check_usable(value: &[u8], comparison: Comparison) -> Result<(), UnusablePattern> {
    match (value.first(), comparison) {
        (None, _) => Err(UnusablePattern::Empty),
        // A leading `*` is special except in the draft of 1996. R9309-5.1-2, erratum 7995.
        (Some(b'*'), Comparison::Units | Comparison::Bytes) | (Some(b'/'), _) => Ok(()),
        (Some(_), _) => Err(UnusablePattern::NoLeadingSlash),
    }
}

/// Splits off a final `$`. R9309-2.2.3-3.
pub(crate) fn strip_anchor(value: &[u8]) -> (&[u8], bool) {
    match value.strip_suffix(b"$") {
        Some(before) => (before, true),
        None => (value, false),
    }
}

/// Why a value cannot match anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnusablePattern {
    /// The value is empty: a rule without a path, which has no effect. R9309-2.2-5, G-syn-4.
    Empty,
    /// The value starts with neither `/` nor a special `*`, but every target starts with `/`. V-33.
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
