//! Text in which lines are found, and fixed-size windows on it. All readers of a body use it.
//!
//! *Idea.* A body is read as two texts: everything but the last bytes, and a copy of the last bytes
//! with padding after them. So every line has a whole window, and no loop has to check for it.

use verger_simd::{ByteSet, Masks};

use crate::limits::is_line_end;

/// Size of a block, in bytes. Its line ends are found at once.
pub(crate) const BLOCK: usize = 64;

/// Number of bytes examined from the start of a line.
pub(crate) const LINE_WINDOW: usize = 64;

/// Number of bytes from the start of a line in which its end is searched for before the slow path
/// is taken. Of 2.3 million rules and user-agent lines of real files, 12 % are longer than 64 bytes
/// and 2 % longer than 128. With 64, J2 `b_ecommerce` takes 10 % more instructions and J9 with one
/// question 7 %.
pub(crate) const VALUE_WINDOW: usize = 128;

/// Text with at least [`VALUE_WINDOW`] readable bytes after every byte of its blocks.
pub(crate) struct LineText<'x> {
    pub(crate) bytes: &'x [u8],
    pub(crate) base: usize,
    pub(crate) blocks: usize,
}

/// A buffer for the last bytes of a body, followed by a line end and comments. It has room for less
/// than a window and a block of text, and for a window that starts at its last byte.
pub(crate) struct LastBytes([u8; LAST]);

const LAST: usize = BLOCK + 2 * VALUE_WINDOW;

impl LastBytes {
    pub(crate) fn room() -> Self {
        Self([b'#'; LAST])
    }
}

impl<'x> LineText<'x> {
    #[inline(always)]
    pub(crate) fn of_body(
        body: &'x [u8],
        LastBytes(last): &'x mut LastBytes,
    ) -> impl Iterator<Item = Self> {
        let whole_blocks = body.len().saturating_sub(VALUE_WINDOW) / BLOCK;
        let base = whole_blocks * BLOCK;
        let after = &body[base..];
        last[..after.len()].copy_from_slice(after);
        last[after.len()] = b'\n';
        let text = |bytes, base, blocks| Self {
            bytes,
            base,
            blocks,
        };
        let texts = [
            text(body, 0, whole_blocks),
            text(&*last, base, after.len() / BLOCK + 1),
        ];
        texts.into_iter().skip(usize::from(whole_blocks == 0))
    }

    #[inline(always)]
    pub(crate) fn line_blocks(&self) -> impl Iterator<Item = &'x [u8; BLOCK]> + use<'x> {
        self.bytes.as_chunks().0.iter().take(self.blocks)
    }

    #[inline]
    pub(crate) fn line<const BYTES: usize>(&self, start: u32) -> Option<&'x [u8; BYTES]> {
        let start = start as usize;
        self.bytes.get(start..start + BYTES)?.first_chunk()
    }

    #[inline]
    pub(crate) fn in_body(&self, start: u32) -> usize {
        self.base + start as usize
    }
}

/// `#` and the control bytes except TAB. A line without them is all content.
pub(crate) static NOT_PLAIN: ByteSet = ByteSet::new(
    b"#\x00\x01\x02\x03\x04\x05\x06\x07\x08\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F",
);

/// Returns the length of a line if it ends within the window and has no comment and no control
/// byte.
#[inline(always)]
pub(crate) fn plain_bytes<M: Masks>(masks: M, line: &[u8; LINE_WINDOW]) -> Option<usize> {
    let end = masks.members_of_two(line, &NOT_PLAIN).trailing_zeros() as usize;
    line.get(end).filter(|end| is_line_end(**end)).map(|_| end)
}

/// Returns the start and the bytes of the value that starts at `start` in a plain line, without
/// surrounding white space. In a plain line, white space is the same in every dialect. Most lines
/// end within the first 32 bytes and have one space before the value.
#[inline(always)]
pub(crate) fn plain_value<M: Masks>(
    masks: M,
    line: &[u8; VALUE_WINDOW],
    start: usize,
) -> Option<(usize, &[u8])> {
    let mut end = 0;
    for block in line.as_chunks::<32>().0 {
        let first = masks.members(block, &NOT_PLAIN).trailing_zeros();
        end += first as usize;
        if first < u32::BITS {
            break;
        }
    }
    if !is_line_end(*line.get(end)?) {
        return None;
    }
    // In a plain line, every byte up to SPACE is white space.
    let behind_space = start + usize::from(*line.get(start)? == b' ');
    match line.get(behind_space..end)? {
        value @ [first, ..] if *first.min(&value[value.len() - 1]) > b' ' => {
            Some((behind_space, value))
        }
        _ => Some(trimmed(line.get(start..end)?, start)),
    }
}

#[inline(never)]
fn trimmed(value: &[u8], start: usize) -> (usize, &[u8]) {
    let without_trail = value.trim_ascii_end();
    let value = without_trail.trim_ascii_start();
    (start + without_trail.len() - value.len(), value)
}
