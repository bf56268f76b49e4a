use std::io::{self, Read, Write};
use std::time::Duration;

use indicatif::{BinaryBytes, HumanCount};

use crate::screen::progress::{Counting, Drawing, each_second};

/// An input or an output whose bytes and lines are counted.
pub(super) struct Counted<T> {
    inner: T,
    /// Bytes and lines.
    counts: Counting<2>,
}

impl<T> Counted<T> {
    /// Counts `inner`. `bytes` is the total, if known.
    pub(super) fn new(inner: T, drawing: Drawing, bytes: Option<u64>) -> Self {
        let counts = Counting::new(drawing, move |done, elapsed| line(done, bytes, elapsed));
        Self { inner, counts }
    }

    fn add(&self, bytes: &[u8]) {
        let lines = memchr::memchr_iter(b'\n', bytes).count();
        self.counts.add(0, bytes.len() as u64);
        self.counts.add(1, lines as u64);
    }
}

fn line([bytes, lines]: [u64; 2], all: Option<u64>, elapsed: Duration) -> String {
    let (done, lines) = (BinaryBytes(bytes), HumanCount(lines));
    let rate = BinaryBytes(each_second(bytes, elapsed));
    let all = all.map_or_else(String::new, |all| format!(" of {}", BinaryBytes(all)));
    format!("{done}{all} in {lines} lines, {rate}/s")
}

impl<T: Read> Read for Counted<T> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let bytes = self.inner.read(room)?;
        self.add(&room[..bytes]);
        Ok(bytes)
    }
}

impl<T: Write> Write for Counted<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_counted_and_not_changed() {
        let mut read = String::new();
        let mut input = Counted::new(&b"one\ntwo\n"[..], Drawing::Nothing, None);
        input.read_to_string(&mut read).unwrap();
        assert_eq!(read, "one\ntwo\n");
        assert_eq!(input.counts.counts(), [8, 2]);
        let mut output = Counted::new(Vec::new(), Drawing::Nothing, None);
        output.write_all(&[b'\n'; 2040]).unwrap();
        assert_eq!(output.inner.len(), 2040);
        assert_eq!(output.counts.counts(), [2040, 2040]);
    }

    #[test]
    fn a_line_has_the_rate_and_where_it_is_known_the_whole() {
        let second = Duration::from_secs(2);
        assert_eq!(line([8, 2], None, second), "8 B in 2 lines, 4 B/s");
        let line = line([2048, 2042], Some(4096), second);
        assert_eq!(line, "2.00 KiB of 4.00 KiB in 2,042 lines, 1.00 KiB/s");
    }
}
