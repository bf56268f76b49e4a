use std::io::{self, Read};
use std::ops::Range;

/// Maximum length of a URL, in bytes. Also the capacity of a block.
pub(super) const URL_BYTES_MAX: usize = 256 << 10;

/// A URL of maximum length fits with its line end.
const BLOCK_BYTES: usize = URL_BYTES_MAX + 2;

/// Whole lines of the input.
#[derive(Debug, Default)]
pub(super) struct Block {
    bytes: Vec<u8>,
    lines: Range<usize>,
    ending: Ending,
}

/// What comes after the lines of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ending {
    /// The next block follows.
    #[default]
    Plain,
    /// A line longer than a block follows. It was skipped.
    TooLongLine,
}

impl Block {
    /// Returns the lines with their line ends. The last one may have none.
    pub(super) fn lines(&self) -> &[u8] {
        &self.bytes[self.lines.clone()]
    }

    pub(super) fn ending(&self) -> Ending {
        self.ending
    }

    /// Returns the buffer for reuse.
    pub(super) fn into_buffer(self) -> Vec<u8> {
        self.bytes
    }
}

/// Splits an input into blocks.
///
/// Each read that returns whole lines makes a block, because the other side may wait for answers
/// before it sends more.
pub(super) struct Blocks<R> {
    input: R,
    /// The start of an unfinished line.
    carry: Vec<u8>,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Start,
    Within,
    End,
}

impl<R: Read> Blocks<R> {
    pub(super) fn of(input: R) -> Self {
        Self {
            input,
            carry: Vec::new(),
            place: Place::Start,
        }
    }

    /// Reads the next block. `buffer` is reused.
    pub(super) fn next(&mut self, buffer: Vec<u8>) -> io::Result<Option<Block>> {
        if self.place == Place::End {
            return Ok(None);
        }
        let mut bytes = buffer;
        bytes.resize(BLOCK_BYTES, 0);
        let mut end = self.carry.len();
        bytes[..end].copy_from_slice(&self.carry);
        self.carry.clear();
        let mut searched = 0;
        loop {
            if let Some(last) = memchr::memrchr(b'\n', &bytes[searched..end]) {
                let lines_end = searched + last + 1;
                self.carry.extend_from_slice(&bytes[lines_end..end]);
                return Ok(Some(self.block(bytes, lines_end, Ending::Plain)));
            }
            searched = end;
            if end == BLOCK_BYTES {
                self.skip_line(&mut bytes)?;
                return Ok(Some(self.block(bytes, 0, Ending::TooLongLine)));
            }
            let read = read_some(&mut self.input, &mut bytes[end..])?;
            end += read;
            if read == 0 {
                let block = self.block(bytes, end, Ending::Plain);
                self.place = Place::End;
                return Ok(Some(block));
            }
        }
    }

    /// Makes a block, without the byte order mark before the first line.
    fn block(&mut self, bytes: Vec<u8>, end: usize, ending: Ending) -> Block {
        let marked = self.place == Place::Start && bytes[..end].starts_with(b"\xEF\xBB\xBF");
        if self.place == Place::Start {
            self.place = Place::Within;
        }
        Block {
            bytes,
            lines: if marked { 3 } else { 0 }..end,
            ending,
        }
    }

    /// Skips to the end of the line or of the input.
    fn skip_line(&mut self, room: &mut [u8]) -> io::Result<()> {
        loop {
            let read = read_some(&mut self.input, room)?;
            if let Some(line_end) = memchr::memchr(b'\n', &room[..read]) {
                self.carry.extend_from_slice(&room[line_end + 1..read]);
                return Ok(());
            }
            if read == 0 {
                return Ok(());
            }
        }
    }
}

fn read_some(input: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one piece per read.
    struct Pieces(Vec<Vec<u8>>);

    impl Read for Pieces {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let bytes = self.0[0].len().min(room.len());
            room[..bytes].copy_from_slice(&self.0[0][..bytes]);
            self.0[0].drain(..bytes);
            if self.0[0].is_empty() {
                self.0.remove(0);
            }
            Ok(bytes)
        }
    }

    fn blocks(pieces: &[&[u8]]) -> Vec<(Vec<u8>, Ending)> {
        let pieces = pieces.iter().map(|piece| piece.to_vec()).collect();
        let mut blocks = Blocks::of(Pieces(pieces));
        let mut found = Vec::new();
        let mut buffer = b"left over".to_vec();
        while let Some(block) = blocks.next(buffer).unwrap() {
            if !block.lines().is_empty() || block.ending() == Ending::TooLongLine {
                found.push((block.lines().to_vec(), block.ending()));
            }
            buffer = block.into_buffer();
        }
        found
    }

    fn plain(lines: &[u8]) -> (Vec<u8>, Ending) {
        (lines.to_vec(), Ending::Plain)
    }

    #[test]
    fn whole_lines_go_out_with_the_read_that_ended_them() {
        let pieces: [&[u8]; 5] = [b"\xEF\xBB", b"\xBFa\nb", b"b\n\nc\nd", b"d", b"d"];
        assert_eq!(
            blocks(&pieces),
            [plain(b"a\n"), plain(b"bb\n\nc\n"), plain(b"ddd")]
        );
        assert_eq!(blocks(&[]), []);
        assert_eq!(
            blocks(&[b"a\n\xEF\xBB\xBF\n"]),
            [plain(b"a\n\xEF\xBB\xBF\n")]
        );
    }

    #[test]
    fn at_the_limit_a_line_is_kept_and_above_it_the_lines_after_it_follow() {
        let line = |bytes: usize, end: &[u8]| [&vec![b'a'; bytes], end].concat();
        let kept = line(URL_BYTES_MAX, b"\r\n");
        assert_eq!(blocks(&[&kept, b"b\n"]), [plain(&kept), plain(b"b\n")]);
        let long = line(URL_BYTES_MAX + 2, b"\nb\nc\nd");
        let skipped = (Vec::new(), Ending::TooLongLine);
        assert_eq!(
            blocks(&[b"a\n", &long]),
            [
                plain(b"a\n"),
                skipped.clone(),
                plain(b"b\nc\n"),
                plain(b"d")
            ]
        );
        let endless = line(3 * URL_BYTES_MAX, b"");
        assert_eq!(blocks(&[&endless]), [skipped]);
    }
}
