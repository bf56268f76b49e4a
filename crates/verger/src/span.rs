//! Places in a body. Lines are counted from 1, bytes from 0.

use core::fmt;
use core::num::NonZeroU32;

/// A line number, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineNumber(NonZeroU32);

impl LineNumber {
    /// The first line of a body.
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// Creates a line number, or returns `None` for 0.
    #[must_use]
    pub fn new(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }

    /// Returns the number, 1 or more.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0.get()
    }

    pub(crate) fn after(lines: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(lines))
    }

    /// Returns the next line. It cannot overflow, because a body has fewer than 2³² lines.
    pub(crate) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl From<NonZeroU32> for LineNumber {
    fn from(number: NonZeroU32) -> Self {
        Self(number)
    }
}

impl From<LineNumber> for NonZeroU32 {
    fn from(line: LineNumber) -> Self {
        line.0
    }
}

impl fmt::Display for LineNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A place in a body, as editors show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, counted from 1.
    pub line: LineNumber,
    /// The byte within the line, counted from 1.
    pub column: u32,
}

impl fmt::Display for Position {
    /// Writes `LINE:COLUMN`, as in `2:11`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A range of bytes in a body, from `start` up to but not including `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the number of bytes in the span.
    #[must_use]
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns whether the span is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of the span within its body.
    ///
    /// The range is clamped to `body`, so a body that the span does not belong to cannot cause a
    /// panic.
    #[must_use]
    pub fn of(self, body: &[u8]) -> &[u8] {
        let end = body.len().min(self.end as usize);
        &body[end.min(self.start as usize)..end]
    }

    pub(crate) fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Creates the span `start..end` in a body that [`crate::limits`] keeps below 4 GiB.
    pub(crate) fn within(start: usize, end: usize) -> Self {
        Self {
            start: offset(start),
            end: offset(end),
        }
    }
}

/// Converts an offset in a body that [`crate::limits`] keeps below 4 GiB.
pub(crate) fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
