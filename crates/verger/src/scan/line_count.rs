//! Converts positions to line numbers.

use verger_simd::{Masks, kernel};

use crate::rows::rule_rows::{GatheredRows, RuleRows};
use crate::span::LineNumber;

kernel! {
    /// Returns the gathered rules with their lines, and the number of the line at `position`, which
    /// must precede all of them.
    pub(crate) fn number_lines<'b>(
        masks: M,
        body: &'b [u8],
        position: u32,
        gathered: &'b GatheredRows,
    ) -> (LineNumber, RuleRows) {
        let mut count = LineCount::at_start_of(masks, body);
        let before = count.lines_before(masks, position);
        let lines_before = |position, _| count.lines_before(masks, position);
        let rows = gathered.to_rows(body, lines_before);
        (LineNumber::after(before), rows)
    }
}

pub(crate) fn line_at(body: &[u8], position: u32) -> LineNumber {
    number_lines(body, position, &GatheredRows::default()).0
}

/// Size of a block, in bytes. Its line ends are counted at once.
const BLOCK: usize = 64;

struct LineCount<'b> {
    body: &'b [u8],
    /// Number of blocks before the current one, and of lines that end in them.
    blocks: usize,
    lines: u32,
    /// A mask of the line ends in the current block, and bit 0: whether its last byte is a CR.
    ends: u64,
    carry: u64,
}

impl<'b> LineCount<'b> {
    #[inline(always)]
    fn at_start_of<M: Masks>(masks: M, body: &'b [u8]) -> Self {
        let mut count = Self {
            body,
            blocks: 0,
            lines: 0,
            ends: 0,
            carry: 0,
        };
        count.take_block(masks);
        count
    }

    /// Returns how many lines end before a position. Positions must not decrease between calls.
    #[inline(always)]
    fn lines_before<M: Masks>(&mut self, masks: M, position: u32) -> u32 {
        let position = position as usize;
        while self.blocks < position / BLOCK {
            self.lines += self.ends.count_ones();
            self.blocks += 1;
            self.take_block(masks);
        }
        let there = (1_u64 << (position % BLOCK)) - 1;
        self.lines + (self.ends & there).count_ones()
    }

    #[inline(always)]
    fn take_block<M: Masks>(&mut self, masks: M) {
        let (blocks, rest) = self.body.as_chunks::<BLOCK>();
        let mut last = [0; BLOCK];
        let block = blocks.get(self.blocks).unwrap_or_else(|| {
            last[..rest.len()].copy_from_slice(rest);
            &last
        });
        // The LF of a CR LF ends no line of its own.
        let [lf, cr] = [b'\n', b'\r'].map(|byte| masks.equals_of_two(block, byte));
        self.ends = cr | lf & !(cr << 1 | self.carry);
        self.carry = cr >> (BLOCK - 1);
    }
}
