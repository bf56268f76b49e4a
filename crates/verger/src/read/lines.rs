//! `Line`: every line of a body as it was read, comments and unreadable ones included.

use verger_simd::{Kernel, Masks, dispatch};

use crate::dialect::Reading;
use crate::read::line::{PhysicalLine, PhysicalLines};
use crate::read::record::{InvalidLine, LineContent, LineReading, read_line};
use crate::read::robots_txt::{Record, RobotsTxt};
use crate::span::{LineNumber, Span};

/// One line of a body.
#[derive(Clone, Copy, Debug)]
pub struct Line<'r> {
    robots: &'r RobotsTxt,
    physical: PhysicalLine,
    reading: LineReading,
    record_index: usize,
}

/// What a line holds.
#[derive(Clone, Copy, Debug)]
pub enum LineKind<'r> {
    /// White space only.
    Blank,
    /// Nothing but a comment.
    Comment,
    /// A record.
    Record(Record<'r>),
    /// Something else, which is ignored as if absent.
    Invalid(InvalidLine),
}

impl<'r> Line<'r> {
    /// Its number, counted from 1.
    #[must_use]
    pub fn number(&self) -> LineNumber {
        self.physical.number
    }

    /// Where it stands, without its terminator and without a byte order mark.
    #[must_use]
    pub fn span(&self) -> Span {
        self.physical.span
    }

    /// The octets of the line, without its terminator.
    #[must_use]
    pub fn octets(&self) -> &'r [u8] {
        self.span().of(self.robots.body())
    }

    /// What it holds.
    #[must_use]
    pub fn kind(&self) -> LineKind<'r> {
        match self.reading.content {
            LineContent::Blank => LineKind::Blank,
            LineContent::Comment => LineKind::Comment,
            LineContent::Invalid(why) => LineKind::Invalid(why),
            LineContent::Record(_) => LineKind::Record(self.robots.nth_record(self.record_index)),
        }
    }

    /// Where its comment stands, from the `#` on.
    #[must_use]
    pub fn comment_span(&self) -> Option<Span> {
        self.reading.comment
    }

    /// Its comment, from the `#` on.
    #[must_use]
    pub fn comment(&self) -> Option<&'r [u8]> {
        self.comment_span().map(|span| span.of(self.robots.body()))
    }

    /// Where it goes on behind what was read of it: behind a NUL or the line limit in `google`.
    #[must_use]
    pub fn dropped_span(&self) -> Option<Span> {
        self.reading.dropped
    }
}

/// Reads one line.
struct ReadLine<'b> {
    body: &'b [u8],
    span: Span,
    reading: &'b Reading,
}

impl Kernel for ReadLine<'_> {
    type Output = LineReading;

    fn run<M: Masks>(self, masks: M) -> LineReading {
        read_line(masks, self.body, self.span, self.reading)
    }
}

/// Walks the lines of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'r> {
    robots: &'r RobotsTxt,
    physical: PhysicalLines<'r>,
    record_index: usize,
}

impl<'r> Iterator for Lines<'r> {
    type Item = Line<'r>;

    fn next(&mut self) -> Option<Line<'r>> {
        let physical = self.physical.next()?;
        let reading = dispatch(ReadLine {
            body: self.robots.body(),
            span: physical.span,
            reading: self.robots.reading(),
        });
        let line = Line {
            robots: self.robots,
            physical,
            reading,
            record_index: self.record_index,
        };
        if matches!(reading.content, LineContent::Record(_)) {
            self.record_index += 1;
        }
        Some(line)
    }
}

impl RobotsTxt {
    /// All lines that were read, in order; each octet of them is in exactly one line or is a line
    /// end (or the byte order mark).
    ///
    /// Lines are not kept but read again, so that a tree holds records only; in `google` an
    /// empty last line is a line, as in Google's library.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> + Clone {
        Lines {
            robots: self,
            physical: PhysicalLines::of(&self.body()[..self.octets_read()], self.reading()),
            record_index: 0,
        }
    }
}
