//! Rules told by a glance, and those that a glance leaves open.
//!
//! What a glance leaves open puts itself into a row without a branch, and is settled later: first
//! wildcard rules that ask for what the target has not are sifted out ([`PairFilter`]), again
//! without a branch, then each that stays is looked at by itself.

use verger_simd::{Masks, OctetSet};

use super::asked_names::Rank;
use super::line_starts::LineStarts;
use super::pair_filter::PairFilter;
use super::raw_rule::{ShortFit, WHITE, fit_of_short, members};
use super::scan_text::{LINE_WINDOW, ScanText};
use super::seen_target::{GLANCE, PARTING, Parting, SeenTarget};
use crate::read::usual_key::{RuleStart, WINDOW, rule_start};
use crate::verdict::Effect;

/// What a glance at a rule shows.
pub(crate) struct Glance {
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
    pub(crate) fn at<M: Masks>(
        masks: M,
        target: &SeenTarget<'_>,
        line: &[u8; WINDOW],
    ) -> Option<Self> {
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
    pub(crate) fn leaves_open(&self, target: &SeenTarget<'_>) -> bool {
        let tells = PARTING[usize::from(self.octet)] == Parting::Tells;
        // Both are asked, so that no branch is made of it.
        !tells | target.is_doubtful_near(self.effect, self.parting)
    }

    /// The same of a rule whose value stands behind more white space than a glance passes over, or
    /// is the target's as far as a glance goes; `None` where the window is too short for it.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn and_farther<M: Masks>(
        self,
        masks: M,
        target: &SeenTarget<'_>,
        line: &[u8; LINE_WINDOW],
    ) -> Option<Self> {
        let is_white = matches!(self.octet, b' ' | b'\t');
        if self.parting < GLANCE && !(self.parting == 0 && is_white) {
            return Some(self);
        }
        let white = members(masks, line, &WHITE) >> self.value;
        let value = self.value + white.trailing_ones() as usize;
        let parting = target.far_parting(masks, line.get(value..)?.first_chunk()?);
        Some(Self {
            value,
            parting,
            octet: *line.get(value + parting)?,
            ..self
        })
    }
}

/// Rules that a glance leaves open.
pub(crate) struct UnsettledRules {
    rules: [Unsettled; LineStarts::MAX],
    count: usize,
    /// Made once so many rules were unsettled that it pays.
    pairs: Option<PairFilter>,
    /// The octets of the target, found once so many rules were unsettled that they may be hostile.
    octets: Option<OctetSet>,
    so_far: usize,
}

#[derive(Clone, Copy)]
struct Unsettled {
    start: u32,
    /// Where it parts from the target.
    parting: u32,
}

/// Unsettled rules for which looking through the target is sooner done than making the set of its
/// pairs.
const FEW: usize = 10;

/// Unsettled rules from which on those are told off first that have an octet which the target has
/// not: work for each is then bounded by its own octets.
const MANY: usize = 256;

impl UnsettledRules {
    pub(crate) fn none() -> Self {
        const NOWHERE: Unsettled = Unsettled {
            start: 0,
            parting: 0,
        };
        Self {
            rules: [NOWHERE; LineStarts::MAX],
            count: 0,
            pairs: None,
            octets: None,
            so_far: 0,
        }
    }

    /// Makes the rule that starts at `start` the `nth`.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn put(&mut self, nth: usize, start: u32, glance: &Glance) {
        if let Some(place) = self.rules.get_mut(nth) {
            let parting = start + octets_of_window(glance.value + glance.parting);
            *place = Unsettled { start, parting };
        }
    }

    /// Says how many rules were put here.
    #[inline]
    pub(crate) fn keep(&mut self, count: usize) {
        self.count = count;
        self.so_far += count;
    }

    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Where the `nth` rule starts.
    #[inline]
    pub(crate) fn start(&self, nth: usize) -> Option<u32> {
        Some(self.rules.get(nth)?.start)
    }

    /// Takes out wildcard rules that ask for what the target has not.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn sift(&mut self, text: &ScanText<'_>, target: &SeenTarget<'_>) {
        if self.so_far <= FEW || !target.is_glanceable() {
            return;
        }
        let pairs = self
            .pairs
            .get_or_insert_with(|| PairFilter::of(target.form()));
        if self.so_far > MANY && self.octets.is_none() {
            self.octets = Some(OctetSet::of_ascii_in(target.form()));
        }
        let directories = target.may_stand_for_directory(Effect::Allow);
        let mut kept = 0;
        for nth in 0..self.count {
            let rule = self.rules[nth % LineStarts::MAX];
            let lacks = match (text.line::<6>(rule.parting), text.line::<1>(rule.start)) {
                (Some(&[octet, behind @ ..]), Some(&[lead])) => {
                    // The directory of an index page has less behind its last slash.
                    let may_be_less = || directories && lead | 0x20 == b'a' && has_slash_i(behind);
                    (octet == b'*') & pairs.lacks(behind) && !may_be_less()
                }
                _ => false,
            };
            self.rules[kept % LineStarts::MAX] = rule;
            kept += usize::from(!lacks);
        }
        self.count = kept;
    }

    /// Whether the rule on that line matches.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn fit<M: Masks>(
        &self,
        masks: M,
        target: &SeenTarget<'_>,
        line: &[u8; LINE_WINDOW],
        bar: Rank,
    ) -> ShortFit {
        let (windows, _) = line.as_chunks::<WINDOW>();
        let glance = Glance::at(masks, target, &windows[0]);
        let Some(look) = glance
            .filter(|_| target.is_glanceable())
            .and_then(|glance| glance.and_farther(masks, target, line))
        else {
            return ShortFit::Unknown;
        };
        let Glance {
            effect,
            value,
            parting,
            octet,
        } = look;
        let says = PARTING[usize::from(octet)];
        if says == Parting::Tells && !target.is_doubtful(effect, parting) {
            return ShortFit::IsNothing;
        }
        if says == Parting::Ends
            && let Some(specificity) = target.prefix(parting)
        {
            // A rule without a path says nothing.
            return match parting {
                0 => ShortFit::IsNothing,
                _ => ShortFit::Matches(Rank::of(specificity, effect)),
            };
        }
        let there = line.get(value + parting..).unwrap_or_default();
        if says == Parting::SaysNothing
            && let Some(octets) = there.first_chunk()
            && target.lacks_escape(effect, parting, *octets)
        {
            return ShortFit::IsNothing;
        }
        if says == Parting::Star
            && let &[_, left, right, ..] = there
            && self.pairs.is_none()
            && target.lacks_pair(masks, [left, right], effect)
        {
            return ShortFit::IsNothing;
        }
        let octets = self.octets.as_ref();
        fit_of_short(masks, target, octets, (effect, line, value), bar)
    }
}

/// Whether an index page may start among these octets.
fn has_slash_i(octets: [u8; 5]) -> bool {
    octets.windows(2).any(|pair| pair == b"/i")
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
