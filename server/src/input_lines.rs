//! `InputLines`: a body read line by line, as it comes, in bounded memory.

use axum::body::{Body, BodyDataStream};
use bytes::{Buf as _, Bytes, BytesMut};
use futures_util::StreamExt as _;

/// A longer line has no answer.
pub(crate) const LINE_OCTETS_MAX: usize = 64 << 10;

/// A line of the body, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InputLine {
    Octets(u64, Bytes),
    TooLong(u64),
}

/// A body read line by line.
pub(crate) struct InputLines {
    body: BodyDataStream,
    buffer: BytesMut,
    /// Octets of the buffer in which there is no line end.
    searched: usize,
    number: u64,
    /// Whether the rest of a line that is too long is to be skipped.
    is_skipping: bool,
    has_ended: bool,
}

/// There is no whole line in the buffer.
struct NotWhole;

impl InputLines {
    pub(crate) fn of(body: Body) -> Self {
        Self {
            body: body.into_data_stream(),
            buffer: BytesMut::new(),
            searched: 0,
            number: 0,
            is_skipping: false,
            has_ended: false,
        }
    }

    /// The lines that are there, at most `lines_max`; waits where there is none. Empty at the end. Blank lines are
    /// left out, and counted.
    ///
    /// # Errors
    ///
    /// Where the body cannot be read.
    pub(crate) async fn block(&mut self, lines_max: usize) -> Result<Vec<InputLine>, axum::Error> {
        let mut lines = Vec::new();
        loop {
            while lines.len() < lines_max
                && let Ok(line) = self.next_line()
            {
                lines.extend(line);
            }
            if !lines.is_empty() || (self.has_ended && self.buffer.is_empty()) {
                return Ok(lines);
            }
            match self.body.next().await {
                Some(chunk) => self.buffer.extend_from_slice(&chunk?),
                None => self.has_ended = true,
            }
        }
    }

    /// Takes a line from the buffer, if a whole one is there; `None` for a blank one.
    fn next_line(&mut self) -> Result<Option<InputLine>, NotWhole> {
        let rest = &self.buffer[self.searched..];
        let end = rest.iter().position(|&octet| octet == b'\n');
        let end = end.map(|end| self.searched + end);
        let line = match end {
            Some(end) => {
                let line = self.buffer.split_to(end).freeze();
                self.buffer.advance(1);
                line
            }
            None if self.has_ended && !self.buffer.is_empty() => self.buffer.split().freeze(),
            None if self.buffer.len() > LINE_OCTETS_MAX => {
                self.buffer.clear();
                self.searched = 0;
                if self.is_skipping {
                    return Err(NotWhole);
                }
                self.is_skipping = true;
                self.number += 1;
                return Ok(Some(InputLine::TooLong(self.number)));
            }
            None => {
                self.searched = self.buffer.len();
                return Err(NotWhole);
            }
        };
        self.searched = 0;
        if std::mem::take(&mut self.is_skipping) {
            return Ok(None);
        }
        self.number += 1;
        if line.len() > LINE_OCTETS_MAX {
            return Ok(Some(InputLine::TooLong(self.number)));
        }
        let end = line.trim_ascii_end().len();
        let line = line.slice(..end);
        Ok((!line.is_empty()).then_some(InputLine::Octets(self.number, line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(chunks: &[&str]) -> Vec<InputLine> {
        let chunks: Vec<Result<Bytes, std::io::Error>> = chunks
            .iter()
            .map(|it| Ok(Bytes::from((*it).to_owned())))
            .collect();
        let mut input = InputLines::of(Body::from_stream(futures_util::stream::iter(chunks)));
        let mut all = Vec::new();
        loop {
            let block = input.block(2).await.unwrap();
            if block.is_empty() {
                return all;
            }
            assert!(block.len() <= 2);
            all.extend(block);
        }
    }

    fn line(number: u64, text: &'static str) -> InputLine {
        InputLine::Octets(number, Bytes::from_static(text.as_bytes()))
    }

    #[tokio::test]
    async fn lines_are_the_same_however_the_body_is_cut() {
        let expected = [line(1, "a"), line(3, "bc"), line(4, "d"), line(5, "e")];
        assert_eq!(lines(&["a\r\n\nbc\nd\ne"]).await, expected);
        assert_eq!(lines(&["a\r", "\n", "\nb", "c\n", "d\ne"]).await, expected);
        assert_eq!(lines(&[]).await, []);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_skipped_to_its_end() {
        let long = "x".repeat(LINE_OCTETS_MAX + 1);
        let expected = [InputLine::TooLong(1), line(2, "a")];
        assert_eq!(lines(&[&long, &long, &long, "\na"]).await, expected);
        assert_eq!(lines(&[&format!("{long}\na")]).await, expected);
    }
}
