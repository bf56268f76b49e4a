//! `InputLines`: reads input line by line in bounded memory, whatever the length of a line.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

/// Maximum length of a line, in bytes. Longer lines are skipped, so an endless line cannot fill the
/// memory. Large enough for any request that carries a robots.txt body.
pub const LINE_BYTES_MAX: usize = 256 << 20;

const BUFFER_BYTES: usize = 64 << 10;

/// Reads lines that end with LF or CRLF.
pub struct InputLines<R = Box<dyn Read>> {
    reader: BufReader<R>,
    line: Vec<u8>,
    number: u64,
    start: u64,
    next_start: u64,
    line_bytes_max: usize,
}

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputLine<'i> {
    /// The line number, from 1.
    pub number: u64,
    /// The content of the line.
    pub content: InputLineContent<'i>,
}

/// The content of an input line.
#[derive(Debug, PartialEq, Eq)]
pub enum InputLineContent<'i> {
    /// The bytes of the line, without the line end.
    Bytes(&'i [u8]),
    /// The line is longer than the limit, which is [`LINE_BYTES_MAX`] by default.
    TooLong,
}

impl InputLine<'_> {
    /// Returns whether the line is empty or all white space.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        matches!(self.content, InputLineContent::Bytes(bytes) if bytes.trim_ascii().is_empty())
    }
}

impl<R> fmt::Debug for InputLines<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("InputLines");
        shown.field("number", &self.number).finish_non_exhaustive()
    }
}

impl<R: Read> InputLines<R> {
    /// Reads lines from an input. The input does not need a buffer.
    pub fn new(input: R) -> Self {
        Self::with_limit(input, LINE_BYTES_MAX)
    }

    /// Reads lines from an input and skips lines longer than `line_bytes_max`.
    pub fn with_limit(input: R, line_bytes_max: usize) -> Self {
        Self {
            reader: BufReader::with_capacity(BUFFER_BYTES, input),
            line: Vec::new(),
            number: 0,
            start: 0,
            next_start: 0,
            line_bytes_max,
        }
    }

    /// Returns whether the next read may block. If so, write all pending answers first, because the
    /// program at the other end may wait for them before it sends more. Empty lines need no answer.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        let mut lines = self.reader.buffer().split_inclusive(|&byte| byte == b'\n');
        let asks = |line: &[u8]| line.ends_with(b"\n") && !line.trim_ascii().is_empty();
        !lines.any(asks)
    }

    /// Advances to the next line. Returns false at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read.
    pub fn advance(&mut self) -> io::Result<bool> {
        self.line.clear();
        let bytes_max = self.line_bytes_max as u64 + 2;
        let mut limited = self.reader.by_ref().take(bytes_max);
        let mut bytes = limited.read_until(b'\n', &mut self.line)?;
        if bytes == 0 {
            return Ok(false);
        }
        self.number += 1;
        if self.line.ends_with(b"\n") {
            self.line.pop();
        } else if self.line.len() > self.line_bytes_max {
            bytes += self.reader.skip_until(b'\n')?;
        }
        self.start = self.next_start;
        self.next_start += bytes as u64;
        if self.line.ends_with(b"\r") {
            self.line.pop();
        }
        Ok(true)
    }

    /// Returns the byte offset of the current line.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns the current line. A byte order mark before the first line is removed.
    #[must_use]
    pub fn line(&self) -> InputLine<'_> {
        let mut bytes = self.line.as_slice();
        if self.number == 1 {
            bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        }
        InputLine {
            number: self.number,
            content: if bytes.len() > self.line_bytes_max {
                InputLineContent::TooLong
            } else {
                InputLineContent::Bytes(bytes)
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &'static [u8], limit: usize) -> Vec<Option<Vec<u8>>> {
        let mut lines = InputLines::with_limit(input, limit);
        let mut read = Vec::new();
        while lines.advance().unwrap() {
            let line = lines.line();
            assert_eq!(line.number, read.len() as u64 + 1);
            read.push(match line.content {
                InputLineContent::Bytes(bytes) => Some(bytes.to_vec()),
                InputLineContent::TooLong => None,
            });
        }
        read
    }

    #[test]
    fn every_line_knows_where_it_starts() {
        let mut lines = InputLines::with_limit(&b"\xEF\xBB\xBFa\r\n12345\n\nb"[..], 3);
        let mut starts = Vec::new();
        while lines.advance().unwrap() {
            starts.push(lines.start());
        }
        assert_eq!(starts, [0, 6, 12, 13]);
    }

    #[test]
    fn empty_lines_are_no_reason_not_to_wait() {
        for (input, waits) in [
            ("a\n", true),
            ("a\n\n \r\n", true),
            ("a\n\nb", true),
            ("a\n\n\r\nb\n", false),
        ] {
            let mut lines = InputLines::new(input.as_bytes());
            assert!(lines.advance().unwrap());
            assert_eq!(lines.may_wait(), waits, "{input:?}");
        }
    }

    fn kept(bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    #[test]
    fn lines_end_with_lf_or_crlf_and_the_last_may_not_end() {
        let read = lines(b"\xEF\xBB\xBFa\r\n\nb\r", 9);
        assert_eq!(read, [Some(kept(b"a")), Some(kept(b"")), Some(kept(b"b"))]);
        assert!(lines(b"", 9).is_empty());
    }

    #[test]
    fn at_the_limit_a_line_is_kept_and_above_it_the_next_one_follows() {
        let read = lines(b"123\r\n1234\n12345678901\n12\n", 3);
        assert_eq!(read, [Some(kept(b"123")), None, None, Some(kept(b"12"))]);
        assert_eq!(lines(b"1234", 3), [None]);
    }
}
