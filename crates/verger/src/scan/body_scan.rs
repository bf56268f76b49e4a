//! One pass over a body: the main loop of `scan.rs`.
//!
//! *Idea.* Only lines that start with `u`, `a`, `d` or white space can matter, and only `u` and
//! white space while no relevant group is open. Masks find them 64 bytes at a time. The rest of the
//! work is batched to avoid unpredictable branches: first a batch of line starts ([`LineStarts`]),
//! then a batch of the rules that their first bytes do not decide ([`UnsettledRules`]).
//!
//! *Invariant.* The rules of one group may be decided in any order. All rules of a group are
//! decided before its end is processed.
//!
//! ```text
//! for each block of 64 bytes:
//!     no group is open: examine each line that starts with u or white space
//!     a group is open: gather the lines that start with u, a, d or white space
//!     when 32 are gathered: compare the rules among them, settle the undecided, examine the others
//! ```
//!
//! Lines that neither their first bytes nor a window decides are read by `group_scan.rs`. The last
//! bytes of the body are copied into a padded buffer, so every line has a whole window.
//!
//! *Measured* (`bench/ablation.md`), in instructions: without skipping lines while no group is
//! open, +59 % on J1 `c_aibots`. Without the first byte of a name, +107 % there and +17 % on
//! `a_wordpress`. Taking the first eight bytes of a name from the window saves 6 % of the time of
//! all files of J1c.

use verger_simd::{FirstByteSet, Masks};

use super::asked_names::{AskedNames, UserAgentValue};
use super::group_scan::{GroupScan, RuleWork};
use super::raw_rule::WHITE;
use crate::dialect::{BlankLine, Reading};
use crate::read::line_starts::LineStarts;
use crate::read::line_text::{BLOCK, LINE_WINDOW, LastBytes, LineText, plain_bytes};
use crate::read::usual_key::{WINDOW, user_agent_start};

/// Reads the groups of `body` that are for these names, and applies `work` to their rules. The body
/// must not have a byte order mark.
#[inline(always)]
pub(crate) fn scan_body<W: RuleWork, M: Masks>(
    masks: M,
    body: &[u8],
    reading: &Reading,
    names: &mut AskedNames<'_, '_>,
    work: W,
) {
    let mut scan = Scan {
        masks,
        first_bytes: match reading.blank_line {
            BlankLine::Insignificant => &FIRST_BYTES,
            BlankLine::EndsTheRecord => &FIRST_BYTES_AND_BLANKS,
        },
        groups: GroupScan::new(body, reading, names, work),
        starts: LineStarts::none(),
    };
    let mut last = LastBytes::room();
    let mut carry = 1;
    for text in LineText::of_body(body, &mut last) {
        carry = scan.text(&text, carry);
    }
}

struct FirstByteSets {
    open: FirstByteSet,
    closed: FirstByteSet,
}

static FIRST_BYTES: FirstByteSets = FirstByteSets {
    open: FirstByteSet::new(b"uad \t\x0B\x0C"),
    closed: FirstByteSet::new(b"u \t\x0B\x0C"),
};

static FIRST_BYTES_AND_BLANKS: FirstByteSets = FirstByteSets {
    open: FirstByteSet::new(b"uad \t\x0B\x0C\r\n"),
    closed: FirstByteSet::new(b"u \t\x0B\x0C\r\n"),
};

struct Scan<'q, 's, 't, M, W> {
    masks: M,
    first_bytes: &'static FirstByteSets,
    groups: GroupScan<'q, 's, 't, W>,
    starts: LineStarts,
}

impl<M: Masks, W: RuleWork> Scan<'_, '_, '_, M, W> {
    /// Walks the lines of a text. `carry` is 1 if a line starts at its first byte. Returns the
    /// carry of the next text.
    #[inline(always)]
    fn text(&mut self, text: &LineText<'_>, carry: u64) -> u64 {
        let mut carry = carry;
        let mut blocks = text.line_blocks();
        let mut base = 0;
        loop {
            if self.groups.names.is_open() {
                (base, carry) = self.gather(&mut blocks, base, carry);
                self.lines(text);
            } else {
                (base, carry) = self.seek(text, &mut blocks, base, carry);
            }
            if base as usize >= text.blocks * BLOCK {
                break;
            }
        }
        self.lines(text);
        carry
    }

    /// Gathers lines while a relevant group is open, until there are enough lines that may be rules
    /// of the group or end it.
    #[inline(always)]
    fn gather<'b>(
        &mut self,
        blocks: &mut impl Iterator<Item = &'b [u8; BLOCK]>,
        base: u32,
        carry: u64,
    ) -> (u32, u64) {
        let (mut base, mut carry) = (base, carry);
        for block in blocks {
            let ends = self.masks.line_ends(block);
            let starts = ends << 1 | carry;
            carry = ends >> (BLOCK - 1);
            let found = self
                .masks
                .starting_with(block, starts, &self.first_bytes.open);
            self.starts.push(base, found);
            base += 64;
            if self.starts.is_full() {
                break;
            }
        }
        (base, carry)
    }

    /// Looks for a line that opens a relevant group while none is open. Gathers the lines after it
    /// in its block.
    #[inline(always)]
    fn seek<'b>(
        &mut self,
        text: &LineText<'_>,
        blocks: &mut impl Iterator<Item = &'b [u8; BLOCK]>,
        base: u32,
        carry: u64,
    ) -> (u32, u64) {
        let (mut base, mut carry) = (base, carry);
        for block in blocks {
            let ends = self.masks.line_ends(block);
            let starts = ends << 1 | carry;
            carry = ends >> (BLOCK - 1);
            // Most blocks of an HTML page have no line start.
            if starts == 0 {
                base += 64;
                continue;
            }
            let mut found = self
                .masks
                .starting_with(block, starts, &self.first_bytes.closed);
            while found != 0 {
                let start = found.trailing_zeros();
                found &= found - 1;
                match self.behind_indent(text, base + start) {
                    Some(key) => self.other_line(text, key),
                    None => self.groups.line_apart(text.in_body(base + start)),
                }
                if self.groups.names.is_open() {
                    let after = (ends << 1) & (u64::MAX - 1) << start;
                    let found = self
                        .masks
                        .starting_with(block, after, &self.first_bytes.open);
                    self.starts.push(base, found);
                    return (base + 64, carry);
                }
            }
            base += 64;
        }
        (base, carry)
    }

    #[inline(always)]
    fn lines(&mut self, text: &LineText<'_>) {
        let mut nth = 0;
        loop {
            if self.groups.names.is_open() {
                let starts = self.starts.as_slice().get(nth..).unwrap_or_default();
                nth += W::lines(&mut self.groups, self.masks, text, starts);
            }
            let Some(&start) = self.starts.as_slice().get(nth) else {
                break;
            };
            match self.behind_indent(text, start) {
                Some(key) if key == start => {
                    self.other_line(text, start);
                    nth += 1;
                }
                Some(key) => self.starts.replace(nth, key),
                None => {
                    self.groups.line_apart(text.in_body(start));
                    nth += 1;
                }
            }
        }
        self.starts.clear();
    }

    /// Returns the start of the line's key, or `None` if more white space precedes it than fits in
    /// a window, because then the line limit may cut the line.
    #[inline(always)]
    fn behind_indent(&self, text: &LineText<'_>, start: u32) -> Option<u32> {
        let Some(line @ [b' ' | b'\t', ..]) = text.line::<32>(start) else {
            return Some(start);
        };
        let indent = self.masks.members(line, &WHITE).trailing_ones();
        (indent < 32).then_some(start + indent)
    }

    /// Processes a line that does not start like a rule, or that is not in a relevant group.
    #[inline(always)]
    fn other_line(&mut self, text: &LineText<'_>, start: u32) {
        let Some(line) = text.line::<LINE_WINDOW>(start) else {
            self.groups.line_apart(text.in_body(start));
            return;
        };
        let window = line.first_chunk::<WINDOW>();
        let Some((window, key)) = window.and_then(|line| Some((line, user_agent_start(line)?)))
        else {
            let interesting = if self.groups.names.is_open() {
                &self.first_bytes.open
            } else {
                &self.first_bytes.closed
            };
            if interesting.contains(line[0]) {
                self.groups.line_apart(text.in_body(start));
            }
            return;
        };
        let value = key.value_in(window);
        let names = &self.groups.names;
        if !names.is_open() && !names.may_be_named_by(window[value % WINDOW]) {
            return;
        }
        let white = self.masks.members_of_two(line, &WHITE) >> value;
        let value = value + white.trailing_ones() as usize;
        match plain_bytes(self.masks, line) {
            Some(end) if value < end => {
                let value = UserAgentValue::of(&line[value..end]);
                self.groups.user_agent(value, text.in_body(start));
            }
            _ => self.groups.line_apart(text.in_body(start)),
        }
    }
}
