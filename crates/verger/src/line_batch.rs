//! Where lines start, gathered a batch at a time.
//!
//! The masks of 64 octets say where lines end; their bits are written out as numbers, several at
//! a time whether they are there or not, so that no branch depends on how many lines a block has.
//! Reading the lines is then a loop over numbers. Against a loop over the bits of each block it
//! takes two thirds of the time on short lines, where every block has another number of them.
//!
//! The invariant between batches: the first number is where the line starts that is not handed out
//! yet. A line reaches from its number to the octet before the next one, less the CR of a CR LF.
//!
//! The plain twin is [`crate::line::PhysicalLines`].

use verger_simd::Masks;

use crate::dialect::{EmptyLastLine, Reading};
use crate::line::{PhysicalLine, byte_order_mark_octets};
use crate::span::{LineNumber, Span, offset};

/// Octets whose line ends are found together; as many lines may start in them.
const BLOCK: usize = 64;

/// No block is begun with more lines than these in the batch. Batches of many lines cost their
/// zeroing, which small bodies feel; batches of few a branch each that is not foretold.
const LINES_MAX: usize = 192;

/// Octets that a line has at least, in a body that is no nonsense; of nonsense no more lines are
/// expected, so that nobody reserves much for it.
const LINE_OCTETS_USUALLY: usize = 16;

/// Walks the lines of a body, batch by batch.
pub(crate) struct LineBatches<'b> {
    body: &'b [u8],
    empty_last_line: EmptyLastLine,
    /// Blocks whose lines are gathered; `None` after the last one.
    blocks: Option<usize>,
    /// What the last of them ends with.
    behind: Behind,
    /// The number of the first line of the next batch, and where it starts.
    number: LineNumber,
    open: u32,
    /// Room for the open line, a full batch, one block more and the end of the last line.
    starts: [u32; 1 + LINES_MAX + BLOCK + 1],
}

/// What stands before a block.
#[derive(Clone, Copy)]
struct Behind {
    /// Bit 0: a line end right before it.
    line_end: u64,
    /// Bit 0: a CR right before it.
    cr: u64,
    /// The CRs of all blocks.
    cr_anywhere: u64,
}

/// Lines that follow each other.
pub(crate) struct LineBatch<'w> {
    body: &'w [u8],
    number: LineNumber,
    /// Where they start, and where the line after the last one does.
    starts: &'w [u32],
    /// How far the body is read.
    end: usize,
    has_cr: bool,
}

impl<'b> LineBatches<'b> {
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn of(body: &'b [u8], reading: &Reading) -> Self {
        Self {
            body,
            empty_last_line: reading.empty_last_line,
            blocks: Some(0),
            behind: Behind {
                line_end: 0,
                cr: 0,
                cr_anywhere: 0,
            },
            number: LineNumber::FIRST,
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
            let starts = self.behind.starts(masks, block);
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
        let number = self.number;
        self.number = number.plus(gathered - 1);
        Some(LineBatch {
            body: self.body,
            number,
            starts: &self.starts[..gathered],
            end: self.body.len().min(nth * BLOCK),
            has_cr: self.behind.cr_anywhere != 0,
        })
    }
}

impl Behind {
    /// Where lines start in a block: behind a line end, but not between CR and LF.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn starts<M: Masks>(&mut self, masks: M, block: &[u8; BLOCK]) -> u64 {
        let (halves, _) = block.as_chunks::<32>();
        let of_half = |half: usize| u64::from(masks.equals(&halves[half], b'\n'));
        let line_ends = masks.line_ends(block);
        let lf = of_half(0) | of_half(1) << 32;
        let cr = line_ends & !lf;
        let starts = (line_ends << 1 | self.line_end) & !(lf & (cr << 1 | self.cr));
        self.line_end = line_ends >> 63;
        self.cr = cr >> 63;
        self.cr_anywhere |= cr;
        starts
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
    /// How many lines it has.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many more lines the body may have, if it goes on much as up to here.
    pub(crate) fn lines_expected_behind(&self) -> usize {
        let rest = self.body.len() - self.end;
        let as_dense = self.len() * rest / self.end.max(1);
        (as_dense + as_dense / 8).min(rest / LINE_OCTETS_USUALLY)
    }

    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn lines(&self) -> impl Iterator<Item = PhysicalLine> + use<'w> {
        let Self { body, has_cr, .. } = *self;
        let mut next = self.number;
        self.starts.windows(2).map(move |pair| {
            let (start, mut end) = (pair[0], pair[1] - 1);
            // What stands between CR and LF was taken for no start, so this CR is one of CR LF.
            if has_cr && end > start && body[end as usize - 1] == b'\r' {
                end -= 1;
            }
            let number = next;
            next = next.next();
            let span = Span { start, end };
            PhysicalLine { number, span }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::line::PhysicalLines;
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;
    use verger_simd::{Kernel, dispatch, dispatch_portable};

    struct Lines<'b>(&'b [u8], Reading);

    impl Kernel for Lines<'_> {
        type Output = Vec<PhysicalLine>;

        fn run<M: Masks>(self, masks: M) -> Vec<PhysicalLine> {
            let mut batches = LineBatches::of(self.0, &self.1);
            let mut lines = Vec::new();
            while let Some(batch) = batches.next(masks) {
                assert!(batch.lines_expected_behind() <= self.0.len());
                let before = lines.len();
                lines.extend(batch.lines());
                assert_eq!(lines.len() - before, batch.len());
            }
            lines
        }
    }

    fn assert_both_walks_meet_the_same_lines(body: &[u8]) {
        for dialect in Dialect::ALL {
            let reading = Reading::of(dialect);
            let walked: Vec<_> = PhysicalLines::of(body, &reading).collect();
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
            for count in [1, 63, 64, 65, 191, 192, 193, 255, 256, 257, 1000] {
                assert_both_walks_meet_the_same_lines(octets.repeat(count).as_bytes());
            }
        }
    }
}
