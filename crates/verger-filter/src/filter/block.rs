//! Input in blocks of whole lines, as they come, in bounded memory.

use std::io::{self, Read};
use std::ops::Range;

/// A block has room for so many octets of URLs, and a URL may have as many.
pub(super) const URL_OCTETS_MAX: usize = 256 << 10;

/// A URL of the greatest length fits with its line end.
const BLOCK_OCTETS: usize = URL_OCTETS_MAX + 2;

/// Whole lines of the input.
#[derive(Debug, Default)]
pub(super) struct Block {
    octets: Vec<u8>,
    lines: Range<usize>,
    ending: Ending,
}

/// What follows the lines of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ending {
    /// The next block.
    #[default]
    Plain,
    /// A line that is not kept, since it is longer than a block.
    TooLongLine,
}

impl Block {
    /// The lines with their line ends; the last one may have none.
    pub(super) fn lines(&self) -> &[u8] {
        &self.octets[self.lines.clone()]
    }

    pub(super) fn ending(&self) -> Ending {
        self.ending
    }

    /// The buffer, for another block.
    pub(super) fn into_buffer(self) -> Vec<u8> {
        self.octets
    }
}

/// Cuts an input into blocks.
///
/// Whatever whole lines a read returned make a block: the other side may wait for the answers
/// before asking on.
pub(super) struct Blocks<R> {
    input: R,
    /// The start of a line whose end has not been read.
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

    /// The next block, in a buffer that may have been used before.
    ///
    /// # Errors
    ///
    /// Where the input cannot be read.
    pub(super) fn next(&mut self, buffer: Vec<u8>) -> io::Result<Option<Block>> {
        if self.place == Place::End {
            return Ok(None);
        }
        let mut octets = buffer;
        octets.resize(BLOCK_OCTETS, 0);
        let mut end = self.carry.len();
        octets[..end].copy_from_slice(&self.carry);
        self.carry.clear();
        let mut searched = 0;
        loop {
            if let Some(last) = memchr::memrchr(b'\n', &octets[searched..end]) {
                let lines_end = searched + last + 1;
                self.carry.extend_from_slice(&octets[lines_end..end]);
                return Ok(Some(self.block(octets, lines_end, Ending::Plain)));
            }
            searched = end;
            if end == BLOCK_OCTETS {
                self.skip_line(&mut octets)?;
                return Ok(Some(self.block(octets, 0, Ending::TooLongLine)));
            }
            let read = read_some(&mut self.input, &mut octets[end..])?;
            end += read;
            if read == 0 {
                let block = self.block(octets, end, Ending::Plain);
                self.place = Place::End;
                return Ok(Some(block));
            }
        }
    }

    /// A byte order mark before the first line is left out.
    fn block(&mut self, octets: Vec<u8>, end: usize, ending: Ending) -> Block {
        let marked = self.place == Place::Start && octets[..end].starts_with(b"\xEF\xBB\xBF");
        if self.place == Place::Start {
            self.place = Place::Within;
        }
        Block {
            octets,
            lines: if marked { 3 } else { 0 }..end,
            ending,
        }
    }

    /// Goes on to the end of a line, or of the input.
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

    /// Gives out one piece a read.
    struct Pieces(Vec<Vec<u8>>);

    impl Read for Pieces {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let octets = self.0[0].len().min(room.len());
            room[..octets].copy_from_slice(&self.0[0][..octets]);
            self.0[0].drain(..octets);
            if self.0[0].is_empty() {
                self.0.remove(0);
            }
            Ok(octets)
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
        let line = |octets: usize, end: &[u8]| [&vec![b'a'; octets], end].concat();
        let kept = line(URL_OCTETS_MAX, b"\r\n");
        assert_eq!(blocks(&[&kept, b"b\n"]), [plain(&kept), plain(b"b\n")]);
        let long = line(URL_OCTETS_MAX + 2, b"\nb\nc\nd");
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
        let endless = line(3 * URL_OCTETS_MAX, b"");
        assert_eq!(blocks(&[&endless]), [skipped]);
    }
}
