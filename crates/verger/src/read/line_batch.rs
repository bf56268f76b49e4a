//! Where lines start, gathered a batch at a time.
//!
//! The masks of 64 octets say where lines end; their bits are written out as numbers, several at
//! a time whether they are there or not, so that no branch depends on how many lines a block has.
//! Reading the lines is then a loop over numbers.
//!
//! The invariant between batches: the first number is where the line starts that is not handed out
//! yet. A line reaches from its number to the octet before the next one; what would start between
//! CR and LF is nothing, and no line.
//!
//! The reference is [`crate::read::line::PhysicalLines`].

use verger_simd::Masks;

use crate::dialect::{EmptyLastLine, Reading};
use crate::read::line::byte_order_mark_octets;
use crate::span::{Span, offset};

/// Octets whose line ends are found together; as many lines may start in them.
const BLOCK: usize = 64;

/// No block is begun with more lines than these in the batch. Batches of 128 or 192 are no faster.
const LINES_MAX: usize = 64;

/// Octets that a line has at least, in a body that is no nonsense; of nonsense no more lines are
/// expected, so that little is reserved for it.
const LINE_OCTETS_USUALLY: usize = 16;

/// Walks the lines of a body, batch by batch.
pub(crate) struct LineBatches<'b> {
    body: &'b [u8],
    empty_last_line: EmptyLastLine,
    /// Blocks whose lines are gathered; `None` after the last one.
    blocks: Option<usize>,
    /// Bit 0: a line end is the last octet of them.
    line_end: u64,
    /// Where the first line of the next batch starts.
    open: u32,
    /// Room for the open line, a full batch, one block more and the end of the last line.
    starts: [u32; 1 + LINES_MAX + BLOCK + 1],
}

/// Lines that follow each other.
pub(crate) struct LineBatch<'w> {
    body: &'w [u8],
    /// Where they start, and where the line after the last one does.
    starts: &'w [u32],
    /// How far the body is read.
    end: usize,
}

impl<'b> LineBatches<'b> {
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn of(body: &'b [u8], reading: &Reading) -> Self {
        Self {
            body,
            empty_last_line: reading.empty_last_line,
            blocks: Some(0),
            line_end: 0,
            open: offset(byte_order_mark_octets(body, reading.byte_order_mark)),
            starts: [0; 1 + LINES_MAX + BLOCK + 1],
        }
    }

    /// The next lines; `None` after the last ones.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn next<M: Masks>(&mut self, masks: M) -> Option<LineBatch<'_>> {
        let mut nth = self.blocks?;
        let (blocks, rest) = self.body.as_chunks::<BLOCK>();
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        self.starts[0] = self.open;
        let mut gathered = 1;
        while gathered <= LINES_MAX && nth <= blocks.len() {
            let block = blocks.get(nth).unwrap_or(&last);
            let line_ends = masks.line_ends(block);
            let starts = line_ends << 1 | self.line_end;
            self.line_end = line_ends >> 63;
            gathered += write_out(starts, nth * BLOCK, &mut self.starts[gathered..]);
            nth += 1;
        }
        self.open = self.starts[gathered - 1];
        self.blocks = Some(nth);
        if nth > blocks.len() {
            self.blocks = None;
            let is_line = (self.open as usize) < self.body.len()
                || self.empty_last_line == EmptyLastLine::IsALine;
            if is_line {
                self.starts[gathered] = offset(self.body.len() + 1);
                gathered += 1;
            }
        }
        Some(LineBatch {
            body: self.body,
            starts: &self.starts[..gathered],
            end: self.body.len().min(nth * BLOCK),
        })
    }
}

/// Writes the places of bits, counted from `base`, and says how many there are.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
fn write_out(mut bits: u64, base: usize, places: &mut [u32]) -> usize {
    let count = bits.count_ones() as usize;
    let base = offset(base);
    let Some(places) = places.first_chunk_mut::<BLOCK>() else {
        return 0;
    };
    let mut write = |places: &mut [u32]| {
        for place in places {
            *place = base.wrapping_add(bits.trailing_zeros());
            bits &= bits.wrapping_sub(1);
        }
    };
    write(&mut places[..4]);
    if count > 4 {
        write(&mut places[4..8]);
        if count > 8 {
            write(&mut places[8..count]);
        }
    }
    count
}

impl<'w> LineBatch<'w> {
    /// How many lines it has, and how often CR LF ends one.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many more lines the body may have, if it goes on much as up to here.
    pub(crate) fn lines_expected_behind(&self) -> usize {
        let rest = self.body.len() - self.end;
        if rest == 0 {
            return 0;
        }
        let as_dense = self.len().saturating_mul(rest) / self.end.max(1);
        (as_dense + as_dense / 8).min(rest / LINE_OCTETS_USUALLY)
    }

    /// What stands between line ends: the lines, and nothing between each CR and LF.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn spans(&self) -> impl Iterator<Item = Span> + use<'w> {
        self.starts.windows(2).map(|pair| Span {
            start: pair[0],
            end: pair[1] - 1,
        })
    }

    /// Whether an empty span is a line, not the nothing between CR and LF.
    #[inline]
    pub(crate) fn is_line(&self, empty: Span) -> bool {
        let start = empty.start as usize;
        start == 0 || !self.body[start - 1..].starts_with(b"\r\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::read::line::PhysicalLines;
    use crate::span::LineNumber;
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;
    use verger_simd::{Kernel, dispatch, dispatch_portable};

    struct Lines<'b>(&'b [u8], Reading);

    impl Kernel for Lines<'_> {
        type Output = Vec<(LineNumber, Span)>;

        fn run<M: Masks>(self, masks: M) -> Vec<(LineNumber, Span)> {
            let mut batches = LineBatches::of(self.0, &self.1);
            let mut lines = Vec::new();
            let mut number = LineNumber::FIRST;
            while let Some(batch) = batches.next(masks) {
                assert!(batch.lines_expected_behind() <= self.0.len());
                assert_eq!(batch.spans().count(), batch.len());
                for span in batch.spans() {
                    if !span.is_empty() || batch.is_line(span) {
                        lines.push((number, span));
                        number = number.next();
                    }
                }
            }
            lines
        }
    }

    fn assert_both_walks_meet_the_same_lines(body: &[u8]) {
        for &dialect in Dialect::ALL {
            let reading = Reading::of(dialect);
            let walked: Vec<_> = PhysicalLines::of(body, &reading)
                .map(|line| (line.number, line.span))
                .collect();
            assert_eq!(dispatch(Lines(body, reading)), walked);
            assert_eq!(dispatch_portable(Lines(body, reading)), walked);
        }
    }

    proptest! {
        #[test]
        fn both_walks_meet_the_same_lines(
            body in "(\u{FEFF}|a)?([ab]{0,40}|\r|\n|\r\n){0,40}",
            times in 1_usize..20,
        ) {
            assert_both_walks_meet_the_same_lines(body.repeat(times).as_bytes());
        }
    }

    #[test]
    fn line_ends_are_told_on_either_side_of_each_border() {
        for ends in [
            "\n", "\r", "\r\n", "\n\r", "\r\r\n\n", "\r\n\r\n", "\n\n\r\r",
        ] {
            for length in 0..200 {
                let mut body = vec![b'a'; length];
                body.extend_from_slice(ends.as_bytes());
                assert_both_walks_meet_the_same_lines(&body);
                body.extend_from_slice(b"b");
                assert_both_walks_meet_the_same_lines(&body);
            }
        }
    }

    #[test]
    fn bodies_of_nothing_but_line_ends_fill_batches() {
        for octets in ["\n", "\r", "\r\n", "a\n", "\n\n\r"] {
            for count in [1, 62, 63, 64, 65, 127, 128, 129, 130, 255, 256, 257, 1000] {
                assert_both_walks_meet_the_same_lines(octets.repeat(count).as_bytes());
            }
        }
    }
}
