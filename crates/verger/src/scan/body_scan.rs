//! One pass over a body: the loop behind `scan.rs`.
//!
//! *Idea.* Only lines that can matter are looked at: those that start with `u`, `a`, `d` or white
//! space, and while no group in question is open, only those that start with `u` or white space.
//! Masks find them 64 octets at a time. What follows is arranged in rows, so that unpredictable
//! branches are few: a row of line starts ([`LineStarts`]), then a row of the rules that their first
//! octets leave undecided ([`UnsettledRules`]).
//!
//! *Invariant.* Rules of one group may be decided in any order; all rules of a group are decided when
//! its end is seen.
//!
//! ```text
//! for each block of 64 octets:
//!     no group is open: look at each line that starts with u or white space
//!     a group is open: gather the lines that start with u, a, d or white space
//!     when 32 are gathered: compare the rules among them, decide the undecided, look at the others
//! ```
//!
//! Lines that neither their first octets nor a window decides are read by `group_scan.rs`. The last
//! octets are copied to where octets follow them, so that every line has a whole window.
//!
//! *Measured* (`bench/ablation.md`), instructions without it: the lines that are left out while no
//! group is open +59 % on J1 `c_aibots`; the first octets of a name +107 % there and +17 % on
//! `a_wordpress`; rules seen by masks ([`Scan::is_plain_rule`]) +5 % on `a_wordpress`; the first eight
//! octets of a name taken from the window 6 % of the time of all files of J1c.

use verger_simd::{FirstOctetSet, Kernel, Masks, OctetSet, dispatch};

use super::asked_names::{AskedNames, UserAgentValue};
use super::group_scan::GroupScan;
use super::line_starts::LineStarts;
use super::prefix_compare::{PrefixCompare, UnsettledRules};
use super::raw_rule::{ShortFit, WHITE, members};
use super::scan_target::ScanTarget;
use super::scan_text::{BLOCK, LINE_WINDOW, ScanText};
use crate::dialect::{BlankLine, Reading};
use crate::limits::is_line_end;
use crate::read::line::byte_order_mark_octets;
use crate::read::usual_key::{USER_AGENT, WINDOW};

/// Reads `body` and finds the best rule that matches for each name in question.
pub(crate) fn scan_body(
    body: &[u8],
    reading: &Reading,
    form: &[u8],
    names: &mut AskedNames<'_, '_>,
) {
    let body = &body[byte_order_mark_octets(body, reading.byte_order_mark)..];
    dispatch(BodyScan {
        body,
        reading,
        form,
        names,
    });
}

struct BodyScan<'q, 's, 't> {
    body: &'q [u8],
    reading: &'q Reading,
    form: &'q [u8],
    names: &'q mut AskedNames<'s, 't>,
}

impl Kernel for BodyScan<'_, '_, '_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the processor it runs on"
    )]
    #[inline(always)]
    fn run<M: Masks>(self, masks: M) {
        let Self { body, reading, .. } = self;
        let target = ScanTarget::new(masks, self.form, reading);
        let mut scan = Scan {
            masks,
            first_octets: match reading.blank_line {
                BlankLine::Insignificant => &FIRST_OCTETS,
                BlankLine::EndsTheRecord => &FIRST_OCTETS_AND_BLANKS,
            },
            groups: GroupScan::new(body, reading, &target, self.names),
            starts: LineStarts::none(),
            unsettled: UnsettledRules::none(),
        };
        let whole_blocks = body.len().saturating_sub(BLOCK) / BLOCK;
        let behind = &body[whole_blocks * BLOCK..];
        let mut last = [b'#'; LAST_BLOCKS * BLOCK];
        last[..behind.len()].copy_from_slice(behind);
        last[behind.len()] = b'\n';
        let texts = [
            ScanText {
                octets: body,
                base: 0,
                blocks: whole_blocks,
            },
            ScanText {
                octets: &last,
                base: whole_blocks * BLOCK,
                blocks: behind.len() / BLOCK + 1,
            },
        ];
        let mut carry = 1;
        for text in texts.iter().skip(usize::from(whole_blocks == 0)) {
            carry = scan.text(text, carry);
        }
    }
}

/// Fewer than two blocks of octets are copied, and a window may start at the last of them.
const LAST_BLOCKS: usize = 3;

/// What lines of interest start with, while a group is open and while none is.
struct FirstOctetSets {
    open: FirstOctetSet,
    closed: FirstOctetSet,
}

static FIRST_OCTETS: FirstOctetSets = FirstOctetSets {
    open: FirstOctetSet::of(b"uad \t\x0B\x0C"),
    closed: FirstOctetSet::of(b"u \t\x0B\x0C"),
};

static FIRST_OCTETS_AND_BLANKS: FirstOctetSets = FirstOctetSets {
    open: FirstOctetSet::of(b"uad \t\x0B\x0C\r\n"),
    closed: FirstOctetSet::of(b"u \t\x0B\x0C\r\n"),
};

/// `#` and the control octets but TAB; a line without them is its own content.
static NOT_PLAIN: OctetSet = OctetSet::of(
    b"#\x00\x01\x02\x03\x04\x05\x06\x07\x08\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F",
);

struct Scan<'k, 'q, 's, 't, M> {
    masks: M,
    first_octets: &'static FirstOctetSets,
    groups: GroupScan<'k, 'q, 's, 't>,
    starts: LineStarts,
    unsettled: UnsettledRules,
}

impl<M: Masks> Scan<'_, '_, '_, '_, M> {
    /// Walks the lines of a text. `carry` is 1 where a line starts at its first octet; so is what
    /// is returned for the text behind it.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn text(&mut self, text: &ScanText<'_>, carry: u64) -> u64 {
        let mut carry = carry;
        let (blocks, _) = text.octets.as_chunks::<BLOCK>();
        let mut blocks = blocks.iter().take(text.blocks);
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

    /// While a group in question is open: gathers the places of lines that may be rules of it, or
    /// end it, until there are enough of them.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
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
                .starting_with(block, starts, &self.first_octets.open);
            self.starts.push(base, found);
            base += 64;
            if self.starts.is_full() {
                break;
            }
        }
        (base, carry)
    }

    /// While no group in question is open: looks for a line that opens one. Lines behind it in its
    /// block are gathered.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn seek<'b>(
        &mut self,
        text: &ScanText<'_>,
        blocks: &mut impl Iterator<Item = &'b [u8; BLOCK]>,
        base: u32,
        carry: u64,
    ) -> (u32, u64) {
        let (mut base, mut carry) = (base, carry);
        for block in blocks {
            let ends = self.masks.line_ends(block);
            let starts = ends << 1 | carry;
            carry = ends >> (BLOCK - 1);
            // Of a page of HTML most blocks have no line start.
            if starts == 0 {
                base += 64;
                continue;
            }
            let mut found = self
                .masks
                .starting_with(block, starts, &self.first_octets.closed);
            while found != 0 {
                let start = found.trailing_zeros();
                found &= found - 1;
                match self.behind_indent(text, base + start) {
                    Some(key) => self.other_line(text, key),
                    None => self.groups.line_apart(text.in_body(base + start)),
                }
                if self.groups.names.is_open() {
                    let behind = (ends << 1) & (u64::MAX - 1) << start;
                    let found = self
                        .masks
                        .starting_with(block, behind, &self.first_octets.open);
                    self.starts.push(base, found);
                    return (base + 64, carry);
                }
            }
            base += 64;
        }
        (base, carry)
    }

    /// Decides the gathered lines.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn lines(&mut self, text: &ScanText<'_>) {
        let mut nth = 0;
        loop {
            nth += if self.groups.names.is_open() {
                let rules = self.rules(text, nth);
                if rules > 0 {
                    self.first_rule(text, nth);
                }
                self.settle(text);
                rules
            } else {
                self.rules_of_others(text, nth)
            };
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

    /// How many lines from the `nth` on do not matter while no group in question is open.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn rules_of_others(&self, text: &ScanText<'_>, nth: usize) -> usize {
        let starts = self.starts.as_slice().get(nth..).unwrap_or_default();
        let matters = |start: &u32| match text.line::<1>(*start) {
            Some([lead]) => self.first_octets.closed.contains(*lead),
            None => true,
        };
        starts.iter().position(matters).unwrap_or(starts.len())
    }

    /// The first rule of these may be the first of the open group.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn first_rule(&mut self, text: &ScanText<'_>, nth: usize) {
        if let Some(&start) = self.starts.as_slice().get(nth) {
            self.groups.rule_seen(text.in_body(start));
        }
    }

    /// Whether a line that starts as a rule does is one: no control octet makes it absent. False
    /// where the window does not show it.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn is_plain_rule(&self, text: &ScanText<'_>, start: usize) -> bool {
        let line = start.checked_sub(text.base).and_then(|start| {
            let line = text.octets.get(start..)?;
            line.first_chunk()
        });
        line.is_some_and(|line| self.plain_octets(line).is_some())
    }

    /// How many octets a line has, if it ends within the window and nothing in it is more than it
    /// seems.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn plain_octets(&self, line: &[u8; LINE_WINDOW]) -> Option<usize> {
        let end = members(self.masks, line, &NOT_PLAIN).trailing_zeros() as usize;
        line.get(end).filter(|end| is_line_end(**end)).map(|_| end)
    }

    /// Compares the lines from the `nth` on that are rules of an open group, and counts them.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn rules(&mut self, text: &ScanText<'_>, nth: usize) -> usize {
        let mut rules = 0;
        let mut unsettled = 0;
        let starts = self.starts.as_slice().get(nth..).unwrap_or_default();
        for &start in starts {
            let Some(line) = text.line(start) else {
                break;
            };
            let Some(compared) = PrefixCompare::at(self.masks, self.groups.target, line) else {
                break;
            };
            // It is written in any case; the next rule overwrites one that is ruled out.
            self.unsettled.put(unsettled, start, &compared);
            unsettled += usize::from(compared.is_undecided(self.groups.target));
            rules += 1;
        }
        self.unsettled.keep(unsettled);
        rules
    }

    /// Settles the rules that are unsettled.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn settle(&mut self, text: &ScanText<'_>) {
        self.unsettled.sift(text, self.groups.target);
        for nth in 0..self.unsettled.count() {
            let Some(start) = self.unsettled.start(nth) else {
                break;
            };
            let fit = match text.line(start) {
                Some(line) => self.unsettled.fit(
                    self.masks,
                    self.groups.target,
                    line,
                    self.groups.names.bar(),
                ),
                None => ShortFit::Unknown,
            };
            match fit {
                ShortFit::Matches(rank) => self.groups.names.apply(rank, self.groups.reading),
                ShortFit::IsNothing => {}
                ShortFit::Unknown => self.groups.line_apart(text.in_body(start)),
            }
        }
    }

    /// Where the key of the line stands; `None` where it has more white space before it than is seen
    /// at once, so that the line limit may cut it.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn behind_indent(&self, text: &ScanText<'_>, start: u32) -> Option<u32> {
        let Some(line @ [b' ' | b'\t', ..]) = text.line::<32>(start) else {
            return Some(start);
        };
        let indent = self.masks.members(line, &WHITE).trailing_ones();
        (indent < 32).then_some(start + indent)
    }

    /// A line whose first octets are not those of a rule, or that is in no group in question.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn other_line(&mut self, text: &ScanText<'_>, start: u32) {
        let Some(line) = text.line::<LINE_WINDOW>(start) else {
            self.groups.line_apart(text.in_body(start));
            return;
        };
        let Some(window) = line
            .first_chunk::<WINDOW>()
            .filter(|line| USER_AGENT.starts(line))
        else {
            let interesting = if self.groups.names.is_open() {
                &self.first_octets.open
            } else {
                &self.first_octets.closed
            };
            if interesting.contains(line[0]) {
                self.groups.line_apart(text.in_body(start));
            }
            return;
        };
        let value = USER_AGENT.value_in(window);
        let names = &self.groups.names;
        if !names.is_open() && !names.may_be_named_by(window[value % WINDOW]) {
            return;
        }
        if let Some(rule) = self.groups.unproven_rule()
            && self.is_plain_rule(text, rule)
        {
            self.groups.rule_is_plain();
        }
        let white = members(self.masks, line, &WHITE) >> value;
        let value = value + white.trailing_ones() as usize;
        match self.plain_octets(line) {
            Some(end) if value < end => {
                let octets = &line[value..end];
                let first_eight = line.get(value..).and_then(<[u8]>::first_chunk);
                let value = match first_eight {
                    Some(&first_eight) => UserAgentValue {
                        value: octets,
                        first_eight,
                    },
                    None => UserAgentValue::of(octets),
                };
                self.groups.user_agent(value, text.in_body(start));
            }
            _ => self.groups.line_apart(text.in_body(start)),
        }
    }
}
