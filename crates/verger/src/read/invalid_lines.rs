//! `InvalidLines`: how many lines of a body are ignored as if absent, and which is the first.

use crate::span::LineNumber;

/// How many lines of a body are ignored as if absent, and which is the first. R9309-2.3.1.5-1.
///
/// They are counted while the body is parsed, so that it costs nothing to ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InvalidLines {
    count: u32,
    /// How many lines are before the first of them.
    lines_before: u32,
}

impl InvalidLines {
    /// Counts the line that has so many lines before it.
    pub(super) fn count(&mut self, lines_before: u32) {
        if self.count == 0 {
            self.lines_before = lines_before;
        }
        self.count += 1;
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The first of them.
    #[must_use]
    pub fn first(&self) -> Option<LineNumber> {
        (self.count > 0).then(|| LineNumber::after(self.lines_before))
    }
}
