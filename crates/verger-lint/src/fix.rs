//! `Fix`: what to change in a body so that a finding is gone.

use std::borrow::Cow;

use verger::Span;

/// A change of a body that removes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The change as an order: `remove this line`.
    pub title: String,
    /// The changes in the order of their places; none overlaps another.
    pub edits: Vec<Edit>,
    /// Whether the file answers as before.
    pub meaning: Meaning,
}

/// Bytes that take the place of others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The replaced bytes; empty where `text` is put in.
    pub span: Span,
    /// The new bytes; empty where `span` is removed.
    pub text: Cow<'static, [u8]>,
}

/// Whether a file answers as before once a fix is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// For every crawler and URL, by RFC 9309, in Google's library and by the draft of 2019.
    Kept,
    /// It may answer otherwise: as the finding says, the file does not say what it seems to mean.
    Changed,
}

impl Fix {
    /// A fix of one edit.
    pub(crate) fn new(
        title: impl Into<String>,
        meaning: Meaning,
        span: Span,
        text: impl Into<Cow<'static, [u8]>>,
    ) -> Self {
        Self {
            title: title.into(),
            edits: vec![Edit {
                span,
                text: text.into(),
            }],
            meaning,
        }
    }
}
