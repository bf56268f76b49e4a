//! `InputLines`: a body read line by line as it arrives, in bounded memory.

use std::iter;
use std::mem::take;

use axum::body::{Body, BodyDataStream};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use memchr::{memchr, memchr_iter};

/// Maximum size of a line in bytes. A longer line gets a problem instead of an answer.
pub(crate) const LINE_BYTES_MAX: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Block {
    bytes: Bytes,
    /// Number of the first line, counted from 1.
    first: u64,
    /// Whether `bytes` start with the tail of a line that is too long.
    begins_late: bool,
}

pub(crate) struct InputLines {
    body: BodyDataStream,
    buffer: BytesMut,
    /// Number of bytes of the buffer known to contain no line end.
    searched: usize,
    /// Number of lines returned so far.
    lines: u64,
    /// Whether the buffer starts inside a line that is too long.
    begins_late: bool,
    has_ended: bool,
}

impl InputLines {
    pub(crate) fn new(body: Body) -> Self {
        Self {
            body: body.into_data_stream(),
            buffer: BytesMut::new(),
            searched: 0,
            lines: 0,
            begins_late: false,
            has_ended: false,
        }
    }

    /// Returns the complete lines that have arrived, at most `lines_max`. Waits for the first, and returns `None`
    /// at the end.
    pub(crate) async fn block(&mut self, lines_max: usize) -> Result<Option<Block>, axum::Error> {
        loop {
            let ends = memchr_iter(b'\n', &self.buffer[self.searched..]);
            let ends = ends.take(lines_max).enumerate();
            if let Some((nth, last)) = ends.last() {
                return Ok(Some(self.take(self.searched + last + 1, nth + 1)));
            }
            if self.has_ended {
                let is_left = !self.buffer.is_empty() || self.begins_late;
                return Ok(is_left.then(|| self.take(self.buffer.len(), 1)));
            }
            if self.buffer.len() > LINE_BYTES_MAX {
                self.buffer.clear();
                self.begins_late = true;
            }
            self.searched = self.buffer.len();
            match self.body.next().await {
                Some(chunk) => self.buffer.extend_from_slice(&chunk?),
                None => self.has_ended = true,
            }
        }
    }

    pub(crate) fn end(&mut self) {
        *self = Self::new(Body::empty());
    }

    fn take(&mut self, bytes: usize, lines: usize) -> Block {
        let block = Block {
            bytes: self.buffer.split_to(bytes).freeze(),
            first: self.lines + 1,
            begins_late: take(&mut self.begins_late),
        };
        self.searched = 0;
        self.lines += lines as u64;
        block
    }
}

impl Block {
    /// Returns the lines that are not blank, with their numbers and without line ends. A line that is too long is
    /// `None`.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u64, Option<&[u8]>)> {
        let mut rest = &*self.bytes;
        let mut begins_late = self.begins_late;
        let mut numbers = self.first..;
        let next = move || {
            if rest.is_empty() && !begins_late {
                return None;
            }
            let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
            rest = rest.get(line.len() + 1..).unwrap_or_default();
            let is_too_long = take(&mut begins_late) || line.len() > LINE_BYTES_MAX;
            let line = (!is_too_long).then(|| line.trim_ascii_end());
            Some((numbers.next()?, line))
        };
        iter::from_fn(next).filter(|(_, line)| *line != Some(b""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(chunks: &[&str]) -> Vec<(u64, String)> {
        let chunks: Vec<Result<Bytes, std::io::Error>> = chunks
            .iter()
            .map(|it| Ok(Bytes::from((*it).to_owned())))
            .collect();
        let mut input = InputLines::new(Body::from_stream(futures_util::stream::iter(chunks)));
        let mut all = Vec::new();
        while let Some(block) = input.block(2).await.unwrap() {
            assert!(block.lines().count() <= 2);
            all.extend(block.lines().map(|(number, line)| match line {
                Some(bytes) => (number, String::from_utf8(bytes.to_vec()).unwrap()),
                None => (number, "too long".to_owned()),
            }));
        }
        all
    }

    fn line(number: u64, text: &str) -> (u64, String) {
        (number, text.to_owned())
    }

    #[tokio::test]
    async fn lines_are_the_same_however_the_body_is_cut() {
        let expected = [line(1, "a"), line(3, "bc"), line(4, "d"), line(5, "e")];
        assert_eq!(lines(&["a\r\n\nbc\nd\ne"]).await, expected);
        assert_eq!(lines(&["a\r", "\n", "\nb", "c\n", "d\ne"]).await, expected);
        assert_eq!(lines(&[]).await, []);
        assert_eq!(lines(&["\n", "\n\n"]).await, []);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_skipped_to_its_end() {
        let long = "x".repeat(LINE_BYTES_MAX + 1);
        let expected = [line(1, "too long"), line(2, "a")];
        assert_eq!(lines(&[&long, &long, &long, "\na"]).await, expected);
        assert_eq!(lines(&[&format!("{long}\na")]).await, expected);
        assert_eq!(
            lines(&["a\n", &long, &long]).await,
            [line(1, "a"), line(2, "too long")]
        );
    }
}
