//! One pass over a body: the loop behind `scan.rs`.
//!
//! Only lines that can matter are looked at: those that start with `u`, `a`, `d` or white space,
//! and while no group in question is open, only those that start with `u` or white space. Masks
//! tell them 64 octets at a time. While a group is open their places are gathered in a row
//! ([`LineStarts`]), and the rules among them are told at a glance ([`SeenTarget`]); whatever is
//! not told puts itself into another row without a branch, so that what no processor foretells
//! costs no wrong guess, and that row is settled afterwards. Rules of one group may be settled in
//! any order, and nothing of a group is left unsettled when its end is seen.
//!
//! What neither a glance nor a window tells is read by `group_scan.rs`.
//!
//! The last octets are copied to where octets follow them, so that every line has a whole window.

use verger_simd::{Kernel, LeadSet, Masks, OctetSet, dispatch};

use crate::asked_names::{AskedNames, Rank};
use crate::dialect::{BlankLine, Reading};
use crate::group_scan::{GroupScan, Proof};
use crate::limits::is_line_end;
use crate::line::byte_order_mark_octets;
use crate::line_starts::LineStarts;
use crate::pair_filter::PairFilter;
use crate::raw_rule::{LINE_WINDOW, ShortFit, fit_of_short};
use crate::seen_target::{GLANCE, PARTING, Parting, SeenTarget};
use crate::usual_key::{RuleStart, USER_AGENT, WINDOW, rule_start};
use crate::verdict::Effect;

/// Reads `body` for the names in question and settles what the rules say to them.
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
        let target = SeenTarget::new(masks, self.form, reading);
        let mut scan = Scan {
            masks,
            leads: match reading.blank_line {
                BlankLine::Insignificant => &LEADS,
                BlankLine::EndsTheRecord => &LEADS_AND_BLANKS,
            },
            groups: GroupScan::new(body, reading, target, self.names),
            starts: LineStarts::none(),
            unsettled: [Unsettled {
                start: 0,
                parting: 0,
            }; LineStarts::MAX],
            pairs: None,
            unsettled_so_far: 0,
        };
        let whole_blocks = body.len().saturating_sub(BLOCK) / BLOCK;
        let behind = &body[whole_blocks * BLOCK..];
        let mut last = [b'#'; LAST_BLOCKS * BLOCK];
        last[..behind.len()].copy_from_slice(behind);
        last[behind.len()] = b'\n';
        let texts = [
            Text {
                octets: body,
                base: 0,
                blocks: whole_blocks,
            },
            Text {
                octets: &last,
                base: whole_blocks * BLOCK,
                blocks: behind.len() / BLOCK + 1,
            },
        ];
        let mut carry = 1;
        for text in &texts {
            carry = scan.text(text, carry);
        }
    }
}

const BLOCK: usize = 64;

/// Fewer than two blocks of octets are copied, and a window may start at the last of them.
const LAST_BLOCKS: usize = 3;

/// Octets in which lines are sought, with at least a window behind every octet of its blocks.
struct Text<'x> {
    octets: &'x [u8],
    /// Where it starts in the body.
    base: usize,
    blocks: usize,
}

impl Text<'_> {
    #[inline]
    fn line<const OCTETS: usize>(&self, start: u32) -> Option<&[u8; OCTETS]> {
        let start = start as usize;
        self.octets.get(start..start + OCTETS)?.first_chunk()
    }

    #[inline]
    fn in_body(&self, start: u32) -> usize {
        self.base + start as usize
    }
}

/// What lines of interest start with, while a group is open and while none is.
struct Leads {
    open: LeadSet,
    closed: LeadSet,
}

static LEADS: Leads = Leads {
    open: LeadSet::of(b"uad \t\x0B\x0C"),
    closed: LeadSet::of(b"u \t\x0B\x0C"),
};

static LEADS_AND_BLANKS: Leads = Leads {
    open: LeadSet::of(b"uad \t\x0B\x0C\r\n"),
    closed: LeadSet::of(b"u \t\x0B\x0C\r\n"),
};

/// White space in every dialect.
static INDENT: OctetSet = OctetSet::of(b" \t");

/// `#` and the control octets but TAB; a line without them is its own content.
static NOT_PLAIN: OctetSet = OctetSet::of(
    b"#\x00\x01\x02\x03\x04\x05\x06\x07\x08\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F",
);

/// What a glance at a rule shows.
struct Glance {
    effect: Effect,
    /// Where its value starts, counted from its start.
    value: usize,
    /// Where its value parts from the target, and the octet that stands there.
    parting: usize,
    octet: u8,
}

impl Glance {
    /// Glances at a line; `None` where it is no rule at a glance.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn at<M: Masks>(masks: M, target: &SeenTarget<'_>, line: &[u8; WINDOW]) -> Option<Self> {
        let RuleStart { effect, value } = rule_start(line)?;
        let start = line.get(value..)?.first_chunk()?;
        let parting = target.parting(masks, start);
        Some(Self {
            effect,
            value,
            parting,
            octet: line[(value + parting) % WINDOW],
        })
    }

    /// Whether it does not tell that the rule does not match.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn leaves_open(&self, target: &SeenTarget<'_>) -> bool {
        let tells = PARTING[usize::from(self.octet)] == Parting::Tells;
        // Both are asked, so that no branch is made of it.
        !tells | target.is_doubtful_near(self.effect, self.parting)
    }
}

struct Scan<'q, 's, 't, M> {
    masks: M,
    leads: &'static Leads,
    groups: GroupScan<'q, 's, 't>,
    starts: LineStarts,
    unsettled: [Unsettled; LineStarts::MAX],
    /// Made once so many rules were unsettled that it pays.
    pairs: Option<PairFilter>,
    unsettled_so_far: usize,
}

/// A rule that was not told at a glance.
#[derive(Clone, Copy)]
struct Unsettled {
    start: u32,
    /// Where it parts from the target.
    parting: u32,
}

/// Unsettled rules for which looking through the target is sooner done than making the set of its
/// pairs.
const FEW_UNSETTLED: usize = 10;

impl<M: Masks> Scan<'_, '_, '_, M> {
    /// Walks the lines of a text. `carry` is 1 where a line starts at its first octet; so is what
    /// is returned for the text behind it.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn text(&mut self, text: &Text<'_>, carry: u64) -> u64 {
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
            let led = self.masks.led_by(block, starts, &self.leads.open);
            self.starts.push(base, led);
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
        text: &Text<'_>,
        blocks: &mut impl Iterator<Item = &'b [u8; BLOCK]>,
        base: u32,
        carry: u64,
    ) -> (u32, u64) {
        let (mut base, mut carry) = (base, carry);
        for block in blocks {
            let ends = self.masks.line_ends(block);
            let starts = ends << 1 | carry;
            carry = ends >> (BLOCK - 1);
            let mut led = self.masks.led_by(block, starts, &self.leads.closed);
            while led != 0 {
                let start = led.trailing_zeros();
                led &= led - 1;
                let start_of_key = self.behind_indent(text, base + start);
                self.other_line(text, start_of_key);
                if self.groups.names.is_open() {
                    let behind = (ends << 1) & (u64::MAX - 1) << start;
                    let led = self.masks.led_by(block, behind, &self.leads.open);
                    self.starts.push(base, led);
                    return (base + 64, carry);
                }
            }
            base += 64;
        }
        (base, carry)
    }

    /// Tells the gathered lines, and settles them.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn lines(&mut self, text: &Text<'_>) {
        let mut nth = 0;
        loop {
            nth += if self.groups.names.is_open() {
                let (rules, unsettled) = self.rules(text, nth);
                if rules > 0 && !self.groups.knows_of_rules() {
                    self.first_rule(text, nth);
                }
                let unsettled = self.sifted(text, unsettled);
                self.settle(text, unsettled);
                rules
            } else {
                self.rules_of_others(text, nth)
            };
            let Some(&start) = self.starts.as_slice().get(nth) else {
                break;
            };
            let start_of_key = self.behind_indent(text, start);
            if start_of_key > start {
                self.starts.replace(nth, start_of_key);
            } else {
                self.other_line(text, start);
                nth += 1;
            }
        }
        self.starts.clear();
    }

    /// How many lines from the `nth` on say nothing while no group in question is open.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn rules_of_others(&self, text: &Text<'_>, nth: usize) -> usize {
        let starts = self.starts.as_slice().get(nth..).unwrap_or_default();
        let says_something = |start: &u32| match text.line::<1>(*start) {
            Some([lead]) => self.leads.closed.contains(*lead),
            None => true,
        };
        starts
            .iter()
            .position(says_something)
            .unwrap_or(starts.len())
    }

    /// The first rule of the open group, which is one if no control octet makes its line absent.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn first_rule(&mut self, text: &Text<'_>, nth: usize) {
        let Some(&start) = self.starts.as_slice().get(nth) else {
            return;
        };
        let line = text.line::<LINE_WINDOW>(start);
        let proof = match line.and_then(|line| self.plain_octets(line)) {
            Some(_) => Proof::Plain,
            None => Proof::Unread,
        };
        self.groups.rule_seen(text.in_body(start), proof);
    }

    /// How many octets a line has, if it ends within the window and nothing in it is more than it
    /// seems.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn plain_octets(&self, line: &[u8; LINE_WINDOW]) -> Option<usize> {
        let end = self.members(line, &NOT_PLAIN).trailing_zeros() as usize;
        line.get(end).filter(|end| is_line_end(**end)).map(|_| end)
    }

    /// Tells the lines from the `nth` on that are rules of an open group: how many there are, and how
    /// many of them are unsettled.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn rules(&mut self, text: &Text<'_>, nth: usize) -> (usize, usize) {
        let mut told = 0;
        let mut unsettled = 0;
        let starts = self.starts.as_slice().get(nth..).unwrap_or_default();
        for &start in starts {
            let Some(line) = text.line::<WINDOW>(start) else {
                break;
            };
            let Some(glance) = Glance::at(self.masks, &self.groups.target, line) else {
                break;
            };
            // It is written in any case; the next one takes its place if it was told.
            if let Some(place) = self.unsettled.get_mut(unsettled) {
                let parting = start + octets_of_window(glance.value + glance.parting);
                *place = Unsettled { start, parting };
            }
            unsettled += usize::from(glance.leaves_open(&self.groups.target));
            told += 1;
        }
        (told, unsettled)
    }

    /// Takes out wildcard rules that ask for what the target has not, and says how many rules stay.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn sifted(&mut self, text: &Text<'_>, count: usize) -> usize {
        self.unsettled_so_far += count;
        let target = &self.groups.target;
        if self.unsettled_so_far <= FEW_UNSETTLED || !target.is_glanceable() {
            return count;
        }
        let pairs = self
            .pairs
            .get_or_insert_with(|| PairFilter::of(target.form()));
        let directories = target.may_stand_for_directory(Effect::Allow);
        let mut kept = 0;
        for nth in 0..count {
            let rule = self.unsettled[nth % LineStarts::MAX];
            let lacks = match (text.line::<4>(rule.parting), text.line::<1>(rule.start)) {
                (Some(&[octet, first, second, third]), Some(&[lead])) => {
                    // The directory of an index page may have only the first octet of it.
                    let may_be_less = directories && lead | 0x20 == b'a';
                    let is_less = may_be_less && [first, second] == *b"/i";
                    let third = if may_be_less { b'*' } else { third };
                    octet == b'*' && pairs.lacks([first, second, third]) && !is_less
                }
                _ => false,
            };
            self.unsettled[kept % LineStarts::MAX] = rule;
            kept += usize::from(!lacks);
        }
        kept
    }

    /// Settles the first so many of the rules that are unsettled.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn settle(&mut self, text: &Text<'_>, count: usize) {
        for nth in 0..count {
            let Some(&Unsettled { start, .. }) = self.unsettled.get(nth) else {
                break;
            };
            let Some(line) = text.line::<LINE_WINDOW>(start) else {
                self.groups.line_apart(text.in_body(start));
                continue;
            };
            let (windows, _) = line.as_chunks::<WINDOW>();
            let glance = Glance::at(self.masks, &self.groups.target, &windows[0]);
            let Some(glance) = glance.filter(|_| self.groups.target.is_glanceable()) else {
                self.groups.line_apart(text.in_body(start));
                continue;
            };
            let Some((at, parting, octet)) = self.look_again(line, &glance) else {
                self.groups.line_apart(text.in_body(start));
                continue;
            };
            let effect = glance.effect;
            let says = PARTING[usize::from(octet)];
            if says == Parting::Tells && !self.groups.target.is_doubtful(effect, parting) {
                continue;
            }
            if says == Parting::Ends
                && let Some(specificity) = self.groups.target.prefix(parting)
            {
                if parting > 0 {
                    let rank = Rank::of(specificity, effect);
                    self.groups.names.apply(rank, effect, self.groups.reading);
                }
                continue;
            }
            if says == Parting::SaysNothing {
                let octets = line.get(at + parting..).and_then(<[u8]>::first_chunk);
                if octets
                    .is_some_and(|octets| self.groups.target.lacks_escape(effect, parting, *octets))
                {
                    continue;
                }
            }
            if says == Parting::Star && self.pairs.is_none() {
                let pair = line.get(at + parting + 1..).and_then(<[u8]>::first_chunk);
                if pair.is_some_and(|pair| self.groups.target.lacks_pair(self.masks, *pair, effect))
                {
                    continue;
                }
            }
            let bar = self.groups.names.bar();
            match fit_of_short(self.masks, &self.groups.target, effect, line, at, bar) {
                ShortFit::Matches(rank) => {
                    self.groups.names.apply(rank, effect, self.groups.reading);
                }
                ShortFit::IsNothing => {}
                ShortFit::Unknown => self.groups.line_apart(text.in_body(start)),
            }
        }
    }

    /// Where the value of a rule starts, where it parts from the target and at which octet: of what
    /// is behind more white space than a glance passes over, or the target's as far as a glance goes.
    /// `None` where the window is too short for it.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn look_again(&self, line: &[u8; LINE_WINDOW], glance: &Glance) -> Option<(usize, usize, u8)> {
        let Glance { value, parting, .. } = *glance;
        let is_white = matches!(glance.octet, b' ' | b'\t');
        if parting < GLANCE && !(parting == 0 && is_white) {
            return Some((value, parting, glance.octet));
        }
        let value = value + (self.members(line, &INDENT) >> value).trailing_ones() as usize;
        let octets = line.get(value..)?.first_chunk()?;
        let parting = self.groups.target.far_parting(self.masks, octets);
        let octet = line.get(value + parting)?;
        Some((value, parting, *octet))
    }

    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn members(&self, line: &[u8; LINE_WINDOW], set: &OctetSet) -> u64 {
        let (halves, _) = line.as_chunks::<32>();
        let low = self.masks.members(&halves[0], set);
        let high = self.masks.members(&halves[1], set);
        u64::from(low) | u64::from(high) << 32
    }

    /// Where the key of the line stands, as far as spaces and TABs before it are seen at once.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn behind_indent(&self, text: &Text<'_>, start: u32) -> u32 {
        match text.line::<32>(start) {
            Some(line @ [b' ' | b'\t', ..]) => {
                start + self.masks.members(line, &INDENT).trailing_ones()
            }
            Some(_) | None => start,
        }
    }

    /// A line that is no rule at a glance, or stands while no group in question is open.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn other_line(&mut self, text: &Text<'_>, start: u32) {
        let Some(line) = text.line::<LINE_WINDOW>(start) else {
            self.groups.line_apart(text.in_body(start));
            return;
        };
        let Some(window) = line
            .first_chunk::<WINDOW>()
            .filter(|line| USER_AGENT.starts(line))
        else {
            let leads = if self.groups.names.is_open() {
                &self.leads.open
            } else {
                &self.leads.closed
            };
            if leads.contains(line[0]) {
                self.groups.line_apart(text.in_body(start));
            }
            return;
        };
        let value = USER_AGENT.value_in(window);
        let names = &self.groups.names;
        if !names.is_open() && !names.may_be_named_by(window[value % WINDOW]) {
            return;
        }
        match self.plain_octets(line) {
            Some(end) if value < end => {
                self.groups
                    .user_agent(&line[value..end], text.in_body(start));
            }
            _ => self.groups.line_apart(text.in_body(start)),
        }
    }
}

/// A number of octets within a window.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a window has fewer than 256 octets"
)]
#[inline]
fn octets_of_window(octets: usize) -> u32 {
    octets as u32
}
