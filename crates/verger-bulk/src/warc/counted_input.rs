//! `CountedInput`: a buffered input with its position.

use std::io::{self, ErrorKind, Read};

const BUFFER_BYTES: usize = 320 * 1024;

/// Number of bytes before the position that stay in the buffer.
const HISTORY_BYTES: usize = 64 * 1024;

/// Reads a file through a buffer, counts its bytes, and can step back at least 64 KiB.
pub(crate) struct CountedInput<R> {
    input: R,
    buffer: Box<[u8]>,
    begin: usize,
    end: usize,
    /// The offset of the first byte in the buffer.
    buffer_offset: u64,
    /// The read error, kept until all earlier bytes have been returned.
    failure: Option<io::Error>,
}

impl<R: Read> CountedInput<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            begin: 0,
            end: 0,
            buffer_offset: 0,
            failure: None,
        }
    }

    pub(crate) fn position(&self) -> u64 {
        self.buffer_offset + self.begin as u64
    }

    /// Returns the next bytes: at least `wanted`, which must be far below the buffer size, unless
    /// the file ends or fails first. Empty at the end. A failure is reported after the last byte.
    pub(crate) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.end - self.begin < wanted && self.failure.is_none() {
            if self.end == self.buffer.len() {
                let kept_from = self.begin.saturating_sub(HISTORY_BYTES);
                self.buffer.copy_within(kept_from..self.end, 0);
                self.buffer_offset += kept_from as u64;
                self.end -= kept_from;
                self.begin -= kept_from;
            }
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.failure = Some(error),
            }
        }
        if self.begin == self.end
            && let Some(error) = self.failure.take()
        {
            return Err(error);
        }
        Ok(&self.buffer[self.begin..self.end])
    }

    /// Consumes bytes that [`CountedInput::peek`] returned.
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.begin = self.end.min(self.begin + bytes);
    }

    /// Steps back to an offset, or as near to it as the buffer allows. Returns the number of bytes
    /// stepped back.
    pub(crate) fn step_back_to(&mut self, offset: u64) -> u64 {
        let before = self.position();
        let within = offset.saturating_sub(self.buffer_offset);
        let within = usize::try_from(within).unwrap_or(usize::MAX);
        self.begin = self.begin.min(within);
        before - self.position()
    }
}

impl<R: Read> Read for CountedInput<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let ahead = self.peek(1)?;
        let read = ahead.len().min(bytes.len());
        bytes[..read].copy_from_slice(&ahead[..read]);
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_across_the_ends_of_the_buffer() {
        let bytes: Vec<u8> = (0..=250).cycle().take(BUFFER_BYTES * 2 + 7).collect();
        let mut input = CountedInput::new(&*bytes);
        let mut at = 0;
        loop {
            let ahead = input.peek(10).unwrap();
            let expected = bytes.len() - at;
            assert!(ahead.len() >= expected.min(10), "{at}");
            assert_eq!(ahead, &bytes[at..at + ahead.len()]);
            if ahead.is_empty() {
                break;
            }
            let step = ahead.len().min(99_991);
            input.consume(step);
            at += step;
            assert_eq!(input.position(), at as u64);
        }
        assert_eq!(at, bytes.len());
        let back = input.step_back_to(at as u64 - 3);
        assert_eq!((back, input.position()), (3, at as u64 - 3));
        assert_eq!(input.peek(3).unwrap(), &bytes[at - 3..]);
        let furthest = input.step_back_to(0);
        assert!(
            (HISTORY_BYTES as u64 - 3..=BUFFER_BYTES as u64).contains(&furthest),
            "{furthest}"
        );
        assert_eq!(input.step_back_to(u64::MAX), 0);
    }
}
