//! How much was read or written, for progress.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{BinaryBytes, HumanCount};

/// What was read or written so far.
#[derive(Clone, Default)]
pub(super) struct Transferred(Arc<Counts>);

#[derive(Default)]
struct Counts {
    octets: AtomicU64,
    lines: AtomicU64,
}

/// Something that is read or written, with a count of it.
pub(super) struct Counted<T> {
    inner: T,
    transferred: Transferred,
}

impl Transferred {
    /// Counts what is read from `inner`, or written to it.
    pub(super) fn counted<T>(&self, inner: T) -> Counted<T> {
        let transferred = self.clone();
        Counted { inner, transferred }
    }

    fn add(&self, octets: &[u8]) {
        let lines = memchr::memchr_iter(b'\n', octets).count();
        self.0
            .octets
            .fetch_add(octets.len() as u64, Ordering::Relaxed);
        self.0.lines.fetch_add(lines as u64, Ordering::Relaxed);
    }

    /// A line that says how much it is, of `octets` in all where that is known.
    pub(super) fn line(&self, octets: Option<u64>, elapsed: Duration) -> String {
        let done = self.0.octets.load(Ordering::Relaxed);
        let lines = HumanCount(self.0.lines.load(Ordering::Relaxed));
        let milliseconds = elapsed.as_millis().max(1);
        let each_second = u128::from(done) * 1000 / milliseconds;
        let each_second = BinaryBytes(u64::try_from(each_second).unwrap_or(u64::MAX));
        let all = octets.map_or_else(String::new, |all| format!(" of {}", BinaryBytes(all)));
        format!(
            "{}{all} in {lines} lines, {each_second}/s",
            BinaryBytes(done)
        )
    }
}

impl<T: Read> Read for Counted<T> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let octets = self.inner.read(room)?;
        self.transferred.add(&room[..octets]);
        Ok(octets)
    }
}

impl<T: Write> Write for Counted<T> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(octets)?;
        self.transferred.add(&octets[..written]);
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
        let transferred = Transferred::default();
        let mut read = String::new();
        let mut input = transferred.counted(&b"one\ntwo\n"[..]);
        input.read_to_string(&mut read).unwrap();
        assert_eq!(read, "one\ntwo\n");
        let second = Duration::from_secs(2);
        assert_eq!(transferred.line(None, second), "8 B in 2 lines, 4 B/s");
        let mut output = transferred.counted(Vec::new());
        output.write_all(&[b'\n'; 2040]).unwrap();
        assert_eq!(output.inner.len(), 2040);
        let line = transferred.line(Some(4096), second);
        assert_eq!(line, "2.00 KiB of 4.00 KiB in 2,042 lines, 1.00 KiB/s");
    }
}
