//! `Line`: a line of a body as it was read. Comments and invalid lines are included.

use crate::read::group::{GroupMachine, GroupStep};
use crate::read::line::{LineTerminator, PhysicalLine, PhysicalLines};
use crate::read::record::{InvalidLine, LineContent, LineReading, read_line};
use crate::read::robots_txt::{Record, RobotsTxt};
use crate::span::{LineNumber, Span, offset};

/// One line of a body.
#[derive(Clone, Copy, Debug)]
pub struct Line<'r> {
    robots: &'r RobotsTxt,
    physical: PhysicalLine,
    reading: LineReading,
    record_index: usize,
    open_group: Option<OpenGroup>,
}

/// The group that is open after a line. A rule on the next line would belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpenGroup {
    /// The line of its first user-agent line.
    pub line: LineNumber,
    /// Whether it has a rule already. If so, the next user-agent line opens another group.
    pub has_rule: bool,
}

/// The content of a line.
#[derive(Clone, Copy, Debug)]
pub enum LineKind<'r> {
    /// White space only.
    Blank,
    /// A comment only.
    Comment,
    /// A record.
    Record(Record<'r>),
    /// Something else. The line is ignored.
    Invalid(InvalidLine),
}

impl<'r> Line<'r> {
    /// Returns its number, counted from 1.
    #[must_use]
    pub fn number(&self) -> LineNumber {
        self.physical.number
    }

    /// Returns its span, without terminator and byte order mark.
    #[must_use]
    pub fn span(&self) -> Span {
        self.physical.span
    }

    /// Returns the bytes that end the line.
    #[must_use]
    pub fn terminator(&self) -> LineTerminator {
        self.physical.terminator
    }

    /// Returns the span of its terminator, which is empty if there is none.
    #[must_use]
    pub fn terminator_span(&self) -> Span {
        let start = self.physical.span.end;
        Span::new(start, start + offset(self.terminator().bytes().len()))
    }

    /// Returns the bytes of the line, without its terminator.
    #[must_use]
    pub fn bytes(&self) -> &'r [u8] {
        self.span().of(self.robots.body())
    }

    /// Returns the content of the line.
    #[must_use]
    pub fn kind(&self) -> LineKind<'r> {
        match self.reading.content {
            LineContent::Blank => LineKind::Blank,
            LineContent::Comment => LineKind::Comment,
            LineContent::Invalid(why) => LineKind::Invalid(why),
            LineContent::Record(_) => LineKind::Record(self.robots.nth_record(self.record_index)),
        }
    }

    pub(crate) fn record(&self) -> Option<Record<'r>> {
        match self.kind() {
            LineKind::Record(record) => Some(record),
            LineKind::Blank | LineKind::Comment | LineKind::Invalid(_) => None,
        }
    }

    /// Returns the group that is open after this line, or `None` if a rule on the next line would
    /// be outside of groups. R9309-2.1-3, R9309-2.2.2-17.
    ///
    /// From the first line at which two readings differ here, they group records differently.
    ///
    /// ```
    /// use verger::{Dialect, RobotsTxt};
    ///
    /// let body = "User-agent: *\n\nDisallow: /";
    /// let [new, old] = [Dialect::Rfc9309, Dialect::Koster1996].map(|it| RobotsTxt::parse(body, it));
    /// let mut pairs = new.lines().zip(old.lines());
    /// let (line, _) = pairs.find(|(new, old)| new.open_group() != old.open_group()).unwrap();
    /// assert_eq!(line.number().get(), 2); // a blank line ends the record in koster1996
    /// ```
    #[must_use]
    pub fn open_group(&self) -> Option<OpenGroup> {
        self.open_group
    }

    /// Returns the span of its comment, from the `#` on.
    #[must_use]
    pub fn comment_span(&self) -> Option<Span> {
        self.reading.comment
    }

    /// Returns its comment, from the `#` on.
    #[must_use]
    pub fn comment(&self) -> Option<&'r [u8]> {
        self.comment_span().map(|span| span.of(self.robots.body()))
    }

    /// Returns the span of the end that was dropped: in `google`, after a NUL or at the line limit.
    #[must_use]
    pub fn dropped_span(&self) -> Option<Span> {
        self.reading.dropped
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Lines<'r> {
    robots: &'r RobotsTxt,
    physical: PhysicalLines<'r>,
    record_index: usize,
    groups: GroupMachine,
    open_group: Option<LineNumber>,
}

impl Lines<'_> {
    fn follow(&mut self, line: LineNumber, content: LineContent) -> Option<OpenGroup> {
        match content {
            LineContent::Record(record) => match self.groups.record(record.kind) {
                GroupStep::Opened => self.open_group = Some(line),
                GroupStep::Joined => {}
                GroupStep::Outside => self.open_group = None,
            },
            LineContent::Blank => {
                self.groups.blank_line();
                self.open_group = self.open_group.filter(|_| self.groups.is_in_a_group());
            }
            LineContent::Comment | LineContent::Invalid(_) => {}
        }
        self.open_group.map(|line| OpenGroup {
            line,
            has_rule: self.groups.is_ruling(),
        })
    }
}

impl<'r> Iterator for Lines<'r> {
    type Item = Line<'r>;

    fn next(&mut self) -> Option<Line<'r>> {
        let physical = self.physical.next()?;
        let reading = read_line(self.robots.body(), physical.span, self.robots.reading());
        let open_group = self.follow(physical.number, reading.content);
        let line = Line {
            robots: self.robots,
            physical,
            reading,
            record_index: self.record_index,
            open_group,
        };
        if matches!(reading.content, LineContent::Record(_)) {
            self.record_index += 1;
        }
        Some(line)
    }
}

impl RobotsTxt {
    /// Returns all lines that were read, in order. Each byte is in exactly one line or is a line
    /// end or the byte order mark.
    ///
    /// A tree stores records only, so this reads the lines again. In `google` an empty last line is
    /// a line, as in Google's library.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> + Clone {
        Lines {
            robots: self,
            physical: PhysicalLines::of(&self.body()[..self.bytes_read()], self.reading()),
            record_index: 0,
            groups: GroupMachine::new(self.reading().blank_line),
            open_group: None,
        }
    }
}
