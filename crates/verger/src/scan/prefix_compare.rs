//! Compares the first bytes of a rule with those of the target.
//!
//! *Idea.* Most rules of a body differ from the target within their first 16 bytes, at a byte that
//! has only one form. One vector comparison and one table lookup rule out such a rule.
//!
//! *Invariant.* A rule that is ruled out does not match by the reference (`index::path_match`). All
//! other rules remain undecided.
//!
//! ```text
//! for each line that is a rule:
//!     mismatch = first difference of value[..16] and target[..16]
//!     undecided[n] = rule; n += MISMATCH[value[mismatch]] != RulesOut     // no branch
//! drop undecided wildcard rules whose next bigrams the target lacks       // BigramFilter, no branch
//! settle the rest one by one, with 48 bytes, then by a full match
//! ```
//!
//! *Measured* (`bench/ablation.md`), in instructions: without the comparison, +48 % on J1
//! `a_wordpress` and +51 % on `b_ecommerce`. Without the bigram filter, +25 % on `b_ecommerce`, and
//! +44 % on J9 of files of 1 to 10 KiB with 10 questions. 16 bytes instead of 48 cost 13 % of the
//! time of all files of J1c. Undecided rules with an escape that the target lacks are ruled out.
//! Without that, J9 of all files of 10 to 100 KiB takes 4 % more with 10 questions.

use verger_simd::{ByteSet, Masks};

use super::asked_names::Rank;
use super::bigram_filter::BigramFilter;
use super::raw_rule::{ShortFit, WHITE, fit_of_short};
use super::scan_target::{MISMATCH, Mismatch, PREFIX, ScanTarget};
use crate::read::line_text::{LINE_WINDOW, LineText};
use crate::read::usual_key::WINDOW;
use crate::read::white_space::is_space_or_tab;
use crate::verdict::Effect;

pub(crate) struct PrefixCompare {
    effect: Effect,
    value: usize,
    /// Offset in the value of the first byte that differs from the target, and that byte.
    mismatch: usize,
    byte: u8,
}

impl PrefixCompare {
    /// Compares a rule whose value starts at `line[value]`. Returns `None` if too little of the
    /// value is in the window.
    #[inline(always)]
    pub(crate) fn of_value<M: Masks>(
        masks: M,
        target: &ScanTarget<'_>,
        line: &[u8; WINDOW],
        (effect, value): (Effect, usize),
    ) -> Option<Self> {
        let start = line.get(value..)?.first_chunk()?;
        let mismatch = target.mismatch(masks, start);
        Some(Self {
            effect,
            value,
            mismatch,
            byte: line[(value + mismatch) % WINDOW],
        })
    }

    #[inline(always)]
    pub(crate) fn is_undecided(&self, target: &ScanTarget<'_>) -> bool {
        let rules_out = MISMATCH[usize::from(self.byte)] == Mismatch::RulesOut;
        // `|` evaluates both sides, which avoids a branch.
        !rules_out | target.is_doubtful_near(self.effect, self.mismatch)
    }

    /// Compares more bytes, for a rule whose value follows further white space or equals the target
    /// in its first [`PREFIX`] bytes. Returns `None` if the window is too short.
    #[inline(always)]
    fn and_farther<M: Masks>(
        self,
        masks: M,
        target: &ScanTarget<'_>,
        line: &[u8; LINE_WINDOW],
    ) -> Option<Self> {
        let is_white = is_space_or_tab(self.byte);
        if self.mismatch < PREFIX && !(self.mismatch == 0 && is_white) {
            return Some(self);
        }
        let white = masks.members_of_two(line, &WHITE) >> self.value;
        let value = self.value + white.trailing_ones() as usize;
        let mismatch = target.far_mismatch(masks, line.get(value..)?.first_chunk()?);
        Some(Self {
            value,
            mismatch,
            byte: *line.get(value + mismatch)?,
            ..self
        })
    }
}

pub(crate) struct UnsettledRules<const AT_ONCE: usize> {
    rules: [Unsettled; AT_ONCE],
    count: usize,
    /// Created once there are enough undecided rules to pay for it.
    pairs: Option<BigramFilter>,
    /// The set of bytes in the target, created once there are so many undecided rules that they may
    /// be hostile.
    bytes: Option<ByteSet>,
    so_far: usize,
}

#[derive(Clone, Copy)]
struct Unsettled {
    start: u32,
    /// Offset in the text of the first byte that differs from the target.
    mismatch: u32,
}

/// Number of undecided rules up to which the set of the target's bigrams does not pay. With the set
/// from the first rule on, J9 of files up to 1 KiB takes 4 % more instructions with 10 questions.
/// With the set from the 11th rule on, J9 of files up to 1 KiB takes 10 % more with 3 questions,
/// and of files of 1 to 10 KiB 9 % more with 10.
const FEW: usize = 3;

/// Number of undecided rules from which rules with a byte that the target lacks are ruled out
/// first. The work for each rule is then bounded by its own bytes, which limits hostile bodies:
/// without it J5 takes 2.5 times as many instructions. It costs other jobs 1 %.
const MANY: usize = 256;

impl<const AT_ONCE: usize> UnsettledRules<AT_ONCE> {
    pub(crate) fn none() -> Self {
        const NOWHERE: Unsettled = Unsettled {
            start: 0,
            mismatch: 0,
        };
        Self {
            rules: [NOWHERE; AT_ONCE],
            count: 0,
            pairs: None,
            bytes: None,
            so_far: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, nth: usize, start: u32, compared: &PrefixCompare) {
        if let Some(place) = self.rules.get_mut(nth) {
            let mismatch = start + bytes_of_window(compared.value + compared.mismatch);
            *place = Unsettled { start, mismatch };
        }
    }

    #[inline]
    pub(crate) fn keep(&mut self, count: usize) {
        self.count = count;
        self.so_far += count;
    }

    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub(crate) fn start(&self, nth: usize) -> Option<u32> {
        Some(self.rules.get(nth)?.start)
    }

    #[inline(always)]
    pub(crate) fn sift(&mut self, text: &LineText<'_>, target: &ScanTarget<'_>) {
        if self.so_far <= FEW || !target.is_prefix_comparable() {
            return;
        }
        let pairs = self
            .pairs
            .get_or_insert_with(|| BigramFilter::of(target.form()));
        if self.so_far > MANY && self.bytes.is_none() {
            self.bytes = Some(ByteSet::from_ascii_in(target.form()));
        }
        let directories = target.may_stand_for_directory(Effect::Allow);
        let mut kept = 0;
        for nth in 0..self.count {
            let rule = self.rules[nth % AT_ONCE];
            let lacks = match (text.line::<6>(rule.mismatch), text.line::<1>(rule.start)) {
                (Some(&[byte, after @ ..]), Some(&[lead])) => {
                    // The directory of an index page has fewer bytes after its last slash.
                    let may_be_less = || directories && lead | 0x20 == b'a' && has_slash_i(after);
                    (byte == b'*') & pairs.lacks(after) && !may_be_less()
                }
                _ => false,
            };
            self.rules[kept % AT_ONCE] = rule;
            kept += usize::from(!lacks);
        }
        self.count = kept;
    }

    /// Decides whether a rule whose value starts at `line[value]` matches.
    #[inline(always)]
    pub(crate) fn fit<M: Masks>(
        &self,
        masks: M,
        target: &ScanTarget<'_>,
        (effect, line, value): (Effect, &[u8; LINE_WINDOW], usize),
        bar: Rank,
    ) -> ShortFit {
        let (windows, _) = line.as_chunks::<WINDOW>();
        let compared = PrefixCompare::of_value(masks, target, &windows[0], (effect, value));
        let Some(farther) = compared
            .filter(|_| target.is_prefix_comparable())
            .and_then(|compared| compared.and_farther(masks, target, line))
        else {
            return ShortFit::Unknown;
        };
        let PrefixCompare {
            effect,
            value,
            mismatch,
            byte,
        } = farther;
        let kind = MISMATCH[usize::from(byte)];
        if kind == Mismatch::RulesOut && !target.is_doubtful(effect, mismatch) {
            return ShortFit::IsNothing;
        }
        let there = line.get(value + mismatch..).unwrap_or_default();
        if kind == Mismatch::Unclear && target.lacks_escape(effect, mismatch, there) {
            return ShortFit::IsNothing;
        }
        let bytes = self.bytes.as_ref();
        fit_of_short(masks, target, bytes, (effect, line, value), bar)
    }
}

/// Returns whether an index page may start among these bytes.
fn has_slash_i(bytes: [u8; 5]) -> bool {
    bytes.windows(2).any(|pair| pair == b"/i")
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a window has fewer than 256 bytes"
)]
#[inline]
fn bytes_of_window(bytes: usize) -> u32 {
    bytes as u32
}
