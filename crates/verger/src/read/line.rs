//! Splits a body into lines. CR, LF and CR LF end a line (D00-2.2-12). A byte order mark before the
//! first line is skipped.

use crate::dialect::{ByteOrderMark, EmptyLastLine, Reading};
use crate::limits::is_line_end;
use crate::span::{LineNumber, Span};

const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

pub(crate) fn byte_order_mark_bytes(body: &[u8], mark: ByteOrderMark) -> usize {
    let there = body
        .iter()
        .zip(BYTE_ORDER_MARK)
        .take_while(|&(&byte, of_mark)| byte == of_mark)
        .count();
    match mark {
        ByteOrderMark::Whole if there < BYTE_ORDER_MARK.len() => 0,
        ByteOrderMark::Whole | ByteOrderMark::AnyPrefix => there,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PhysicalLine {
    pub(crate) number: LineNumber,
    pub(crate) span: Span,
    pub(crate) terminator: LineTerminator,
}

/// The bytes that end a line. D00-2.2-12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineTerminator {
    /// LF.
    Lf,
    /// CR.
    Cr,
    /// CR LF.
    CrLf,
    /// The end of the text that is read.
    None,
}

impl LineTerminator {
    fn at_start_of(bytes: &[u8]) -> Self {
        match bytes {
            [b'\n', ..] => Self::Lf,
            [b'\r', b'\n', ..] => Self::CrLf,
            [b'\r', ..] => Self::Cr,
            _ => Self::None,
        }
    }

    /// Returns the bytes of the terminator.
    #[must_use]
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::Cr => b"\r",
            Self::CrLf => b"\r\n",
            Self::None => b"",
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct PhysicalLines<'b> {
    body: &'b [u8],
    /// `None` after the last line.
    start: Option<usize>,
    number: LineNumber,
    empty_last_line: EmptyLastLine,
}

impl<'b> PhysicalLines<'b> {
    pub(crate) fn of(body: &'b [u8], reading: &Reading) -> Self {
        Self {
            body,
            start: Some(byte_order_mark_bytes(body, reading.byte_order_mark)),
            number: LineNumber::FIRST,
            empty_last_line: reading.empty_last_line,
        }
    }
}

impl Iterator for PhysicalLines<'_> {
    type Item = PhysicalLine;

    fn next(&mut self) -> Option<PhysicalLine> {
        let start = self.start?;
        let rest = &self.body[start..];
        if rest.is_empty() && self.empty_last_line == EmptyLastLine::IsNoLine {
            self.start = None;
            return None;
        }
        let number = self.number;
        let end = memchr::memchr2(b'\n', b'\r', rest);
        let terminator = end.map_or(LineTerminator::None, |end| {
            LineTerminator::at_start_of(&rest[end..])
        });
        self.start = end.map(|end| start + end + terminator.bytes().len());
        self.number = number.next();
        let span = Span::within(start, start + end.unwrap_or(rest.len()));
        Some(PhysicalLine {
            number,
            span,
            terminator,
        })
    }
}

/// Returns the end of the line that starts at `start`, before its terminator.
pub(crate) fn line_end(body: &[u8], start: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &body[start..]).map_or(body.len(), |end| start + end)
}

/// Returns the start of the line that contains `position`: after the previous line end, or after
/// the byte order mark.
pub(crate) fn line_start(body: &[u8], position: usize, reading: &Reading) -> usize {
    body[..position]
        .iter()
        .rposition(|&byte| is_line_end(byte))
        .map_or_else(
            || byte_order_mark_bytes(body, reading.byte_order_mark),
            |line_end| line_end + 1,
        )
}

/// A terminator belongs to the line that it ends.
pub(crate) fn line_around(body: &[u8], position: usize, reading: &Reading) -> (LineNumber, usize) {
    let mark = byte_order_mark_bytes(body, reading.byte_order_mark);
    let mut lines = 0;
    let mut start = mark;
    for end in memchr::memchr2_iter(b'\n', b'\r', &body[..position]) {
        // A line does not end between CR and LF.
        if end >= start && !body[end..].starts_with(b"\r\n") {
            lines += 1;
            start = end + 1;
        }
    }
    (LineNumber::after(lines), start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use alloc::vec::Vec;

    fn lines(body: &[u8], dialect: Dialect) -> Vec<(u32, &[u8])> {
        PhysicalLines::of(body, &Reading::new(dialect))
            .map(|line| (line.number.get(), line.span.of(body)))
            .collect()
    }

    #[test]
    fn cr_lf_and_cr_lf_together_end_a_line_once() {
        let expected: [(u32, &[u8]); 5] = [(1, b"a"), (2, b"b"), (3, b"c"), (4, b""), (5, b"d")];
        assert_eq!(lines(b"a\rb\nc\r\n\nd", Dialect::Rfc9309), expected);
    }

    #[test]
    fn only_google_numbers_the_empty_piece_after_the_last_line_end() {
        assert_eq!(lines(b"a\n", Dialect::Rfc9309).len(), 1);
        assert_eq!(lines(b"a\n", Dialect::Google).len(), 2);
        assert_eq!(lines(b"", Dialect::Rfc9309).len(), 0);
        assert_eq!(lines(b"", Dialect::Google).len(), 1);
    }

    #[test]
    fn a_partial_byte_order_mark_is_skipped_by_google_alone() {
        assert_eq!(lines(b"\xEF\xBB\xBFa", Dialect::Rfc9309)[0].1, b"a");
        assert_eq!(lines(b"\xEF\xBBa", Dialect::Rfc9309)[0].1, b"\xEF\xBBa");
        assert_eq!(lines(b"\xEF\xBBa", Dialect::Google)[0].1, b"a");
        assert_eq!(lines(b"\xEF\xBB", Dialect::Google)[0].1, b"");
    }
}
