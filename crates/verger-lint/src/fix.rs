//! Fixes: changes to a body that remove a finding.

use std::borrow::Cow;

use verger::Span;

/// A change to a body that removes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The change as an imperative: `remove this line`.
    pub title: String,
    /// The changes in order, without overlaps.
    pub edits: Vec<Edit>,
    /// Whether answers stay the same.
    pub meaning: Meaning,
}

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The replaced bytes. Empty to insert.
    pub span: Span,
    /// The new bytes. Empty to delete.
    pub text: Cow<'static, [u8]>,
}

/// Whether answers stay the same after a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// They stay the same for every crawler and URL by RFC 9309, Google's library and the draft of
    /// 2019.
    Kept,
    /// They may change, because the file does not say what it seems to mean.
    Changed,
}

impl Edit {
    pub(crate) fn new(span: Span, text: impl Into<Cow<'static, [u8]>>) -> Self {
        let text = text.into();
        Self { span, text }
    }

    /// Returns whether this edit ends before another begins. Nothing is inserted twice at one place.
    pub(crate) fn may_precede(&self, other: &Self) -> bool {
        let inserts = self.span.is_empty() || other.span.is_empty();
        self.span.end < other.span.start || (self.span.end == other.span.start && !inserts)
    }
}

impl Fix {
    pub(crate) fn new(title: impl Into<String>, meaning: Meaning, edits: Vec<Edit>) -> Self {
        Self {
            title: title.into(),
            edits,
            meaning,
        }
    }
}
