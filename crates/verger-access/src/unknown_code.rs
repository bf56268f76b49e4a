//! `UnknownCode`: a text that is not a code of an outcome, a reply or a warning.

use std::error::Error;
use std::fmt;

/// The error of `FromStr` for the short texts of outcomes, replies, redirect ends, transport failures and warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnknownCode {
    /// The expected kind of text, such as `outcome`.
    kind: &'static str,
}

impl UnknownCode {
    pub(crate) fn of(kind: &'static str) -> Self {
        Self { kind }
    }
}

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = if self.kind.starts_with('o') {
            "an"
        } else {
            "a"
        };
        write!(f, "the text is not the code of {article} {}", self.kind)
    }
}

impl Error for UnknownCode {}
