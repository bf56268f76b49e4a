//! `BoundedLines`: lines, none longer than a bound.

use std::io::{self, BufRead};

/// A line has at most so many octets; of a longer one nothing is kept.
pub(super) const LINE_OCTETS_MAX: usize = 1 << 20;

/// Lines of an input.
pub(super) struct BoundedLines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
}

/// What the next line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextLine {
    Line,
    TooLong,
    End,
}

impl<R: BufRead> BoundedLines<R> {
    pub(super) fn of(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            number: 0,
        }
    }

    /// The number of the line that was read last, counted from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The line, without its end.
    pub(super) fn line(&self) -> &[u8] {
        &self.line
    }

    pub(super) fn advance(&mut self) -> io::Result<NextLine> {
        self.line.clear();
        let (mut is_long, mut is_any) = (false, false);
        loop {
            let octets = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                octets => octets?,
            };
            is_any |= !octets.is_empty();
            let end = memchr::memchr(b'\n', octets);
            let there = end.unwrap_or(octets.len());
            if self.line.len() + there > LINE_OCTETS_MAX {
                is_long = true;
                self.line.clear();
            }
            if !is_long {
                self.line.extend_from_slice(&octets[..there]);
            }
            let (is_end, used) = (octets.is_empty(), end.map_or(there, |end| end + 1));
            self.input.consume(used);
            if end.is_some() || is_end {
                break;
            }
        }
        if !is_any {
            return Ok(NextLine::End);
        }
        self.number += 1;
        if self.line.ends_with(b"\r") {
            self.line.pop();
        }
        if self.number == 1 && self.line.starts_with(b"\xEF\xBB\xBF") {
            self.line.drain(..3);
        }
        Ok(if is_long {
            NextLine::TooLong
        } else {
            NextLine::Line
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_takes_no_memory_and_the_next_one_follows() {
        let long = vec![b'a'; LINE_OCTETS_MAX + 1];
        let kept = vec![b'b'; LINE_OCTETS_MAX];
        let input = [b"\xEF\xBB\xBFx\r\n\n", &long[..], b"\n", &kept, b"\ny"].concat();
        // A buffer of seven octets.
        let mut lines = BoundedLines::of(io::BufReader::with_capacity(7, &input[..]));
        let mut found = Vec::new();
        loop {
            match lines.advance().unwrap() {
                NextLine::End => break,
                next => found.push((next, lines.line().to_vec())),
            }
            assert!(lines.line.capacity() <= 2 * LINE_OCTETS_MAX);
        }
        let line = |line: &[u8]| (NextLine::Line, line.to_vec());
        let expected = [
            line(b"x"),
            line(b""),
            (NextLine::TooLong, Vec::new()),
            line(&kept),
            line(b"y"),
        ];
        assert!(found == expected);
        assert_eq!(lines.number(), 5);
    }
}
