//! What a glance at a rule tells about whether it matches the target.
//!
//! The 16 octets at which a value starts are compared with the first 16 of the target's form, and
//! the octet at which they part decides, by a table and without a branch, whether the rule is done
//! with. Most are: the octet is a plain one, so that the rule says something else than the target
//! does. What stands behind it, and where the line ends, is never looked at.

use verger_simd::{Masks, OctetSet};

use super::counted_thrice::counted_thrice;
use crate::compare::path_pattern::Specificity;
use crate::dialect::{Comparison, IndexPage, Reading};
use crate::verdict::Effect;

/// Octets of a value compared at once.
pub(crate) const GLANCE: usize = 16;

/// Octets of a value compared where a glance does not tell.
pub(crate) const FAR_GLANCE: usize = 48;

/// Octets of a block.
const BLOCK: usize = 32;

/// Octets of the form that are kept with zeros behind them, so that blocks can be cut from it
/// however short it is.
const START: usize = 64;

/// What the octet tells at which a rule parts from a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parting {
    /// The rule does not match: the octet has one form, ends nothing and stands for nothing else.
    Tells,
    /// The value ends here, so that the rule matches.
    Ends,
    /// A wildcard goes on from here.
    Star,
    /// The value may end here, or go on in another spelling.
    SaysNothing,
}

/// By the octet of the rule.
pub(crate) static PARTING: [Parting; 256] = {
    let mut table = [Parting::SaysNothing; 256];
    let mut octet = 0_u8;
    while octet < 0x80 {
        if PARTS.contains(octet) {
            table[octet as usize] = Parting::Tells;
        }
        octet += 1;
    }
    table[b'*' as usize] = Parting::Star;
    table[b'\n' as usize] = Parting::Ends;
    table[b'\r' as usize] = Parting::Ends;
    table[b'#' as usize] = Parting::Ends;
    table
};

/// Octets at which a rule that is unlike the target cannot match: they have one form, end nothing
/// and stand for nothing else. The form of a raw octet among them is the octet itself.
pub(crate) const PARTS: OctetSet = OctetSet::of(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!&'()+,;=",
);

/// What stars a rule, or ends or cuts its value. Only Google compares raw control octets.
const ODD: OctetSet = OctetSet::of(b"*#\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F ");

/// Octets that are the same in a rule and in a target: neither odd nor part of an escape, no
/// anchor, and ASCII.
const SURE: OctetSet = OctetSet::of(b"%$*#\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F ").ascii_complement();

/// A target, and what must be known of it to tell rules at a glance.
pub(crate) struct SeenTarget<'t> {
    form: &'t [u8],
    comparison: Comparison,
    index_page: IndexPage,
    /// The first octets of the form, and zeros behind it.
    start: [u8; START],
    /// The bit of the octet behind the form's last one, or of the one behind a far glance.
    end: u64,
    /// For disallow and for allow rules: where parting tells nothing.
    doubtful: [u64; 2],
    /// The same within a glance: the bit of what stands behind it, and where parting tells nothing.
    near_end: u32,
    near_doubtful: [u32; 2],
    /// A rule that ends at or before this octet has no other octets than the form.
    sure_octets: usize,
    /// Which octets of the first block count three.
    thrice: u32,
    has_escapes: bool,
    is_glanceable: bool,
}

impl<'t> SeenTarget<'t> {
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn new<M: Masks>(masks: M, form: &'t [u8], reading: &Reading) -> Self {
        let mut start = [0; START];
        match form.first_chunk::<START>() {
            Some(all) => start = *all,
            None => start[..form.len()].copy_from_slice(form),
        }
        let mut seen = Self {
            form,
            comparison: reading.comparison,
            index_page: reading.index_page,
            start,
            end: 1 << form.len().min(FAR_GLANCE),
            doubtful: [1 << FAR_GLANCE; 2],
            near_end: 1 << form.len().min(GLANCE),
            near_doubtful: [1 << GLANCE; 2],
            sure_octets: form.len().min(BLOCK),
            thrice: counted_thrice(masks, block_at(&start, 0), reading.comparison),
            has_escapes: false,
            is_glanceable: reading.comparison != Comparison::DecodedOctets,
        };
        if reading.index_page == IndexPage::StandsForItsDirectory {
            // Google tries the directory of an index page too, which ends where the page parts.
            seen.doubtful[nth(Effect::Allow)] |= seen.end;
        }
        if seen.any_octet(|block| !masks.members(block, &SURE)) {
            seen.take_care(masks);
        }
        if !seen.is_glanceable {
            seen.doubtful = [u64::MAX; 2];
        }
        for (near, all) in seen.near_doubtful.iter_mut().zip(seen.doubtful) {
            let [low, high, ..] = all.to_le_bytes();
            *near |= u32::from(u16::from_le_bytes([low, high]));
        }
        seen
    }

    /// What escapes and octets that mean something else in a rule make doubtful.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn take_care<M: Masks>(&mut self, masks: M) {
        self.is_glanceable &= !self.any_octet(|block| masks.members(block, &ODD));
        self.has_escapes = self.any_octet(|block| masks.equals(block, b'%'));
        // The same escape may be spelled otherwise: in capitals or not.
        let [low, high] = [0, BLOCK].map(|at| masks.equals(block_at(&self.start, at), b'%'));
        let escapes = u64::from(low) | u64::from(high) << BLOCK;
        for doubtful in &mut self.doubtful {
            *doubtful |= escapes << 1 | escapes << 2;
        }
        let unsure = !masks.members(block_at(&self.start, 0), &SURE);
        self.sure_octets = self.sure_octets.min(unsure.trailing_zeros() as usize);
    }

    /// Whether a mask has a bit for any octet of the form.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn any_octet(&self, mask: impl Fn(&[u8; BLOCK]) -> u32) -> bool {
        if self.form.len() < START {
            let low = mask(block_at(&self.start, 0));
            let high = mask(block_at(&self.start, BLOCK));
            let there = (1 << self.form.len()) - 1;
            return (u64::from(low) | u64::from(high) << BLOCK) & there != 0;
        }
        let (blocks, _) = self.form.as_chunks::<BLOCK>();
        let last = self.form.last_chunk::<BLOCK>();
        // What the last block has in common with the one before is looked at twice.
        blocks.iter().chain(last).any(|block| mask(block) != 0)
    }

    /// The form in which rules are compared.
    pub(crate) fn form(&self) -> &'t [u8] {
        self.form
    }

    pub(crate) fn comparison(&self) -> Comparison {
        self.comparison
    }

    pub(crate) fn has_escapes(&self) -> bool {
        self.has_escapes
    }

    /// Whether rules can be told at a glance at all: where not, each is compiled.
    pub(crate) fn is_glanceable(&self) -> bool {
        self.is_glanceable
    }

    /// Where a value that starts with `value` parts from the target; at [`GLANCE`] if its first
    /// octets are the target's.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn parting<M: Masks>(&self, masks: M, value: &[u8; GLANCE]) -> usize {
        let (glances, _) = self.start.as_chunks::<GLANCE>();
        (masks.differs(value, &glances[0]) | self.near_end).trailing_zeros() as usize
    }

    /// Where a value parts from the target; at [`FAR_GLANCE`] if its first octets are the target's.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn far_parting<M: Masks>(&self, masks: M, value: &[u8; FAR_GLANCE]) -> usize {
        let (glances, _) = self.start.as_chunks::<GLANCE>();
        let (of_value, _) = value.as_chunks::<GLANCE>();
        let differs = |nth: usize| u64::from(masks.differs(&of_value[nth], &glances[nth]));
        let differs = differs(0) | differs(1) << GLANCE | differs(2) << (2 * GLANCE);
        (differs | self.end).trailing_zeros() as usize
    }

    /// Whether parting there, or behind a glance, tells nothing in a rule of that effect.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn is_doubtful_near(&self, effect: Effect, parting: usize) -> bool {
        self.near_doubtful[nth(effect)] >> parting & 1 == 1
    }

    /// Whether parting there, or behind a far glance, tells nothing in a rule of that effect.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn is_doubtful(&self, effect: Effect, parting: usize) -> bool {
        self.doubtful[nth(effect)] >> parting & 1 == 1
    }

    /// How specific a rule is that ends where it parts from the target; `None` where that does not
    /// tell it.
    #[inline]
    pub(crate) fn prefix(&self, parting: usize) -> Option<Specificity> {
        if parting > self.sure_octets {
            return None;
        }
        let thrice = (u64::from(self.thrice) & ((1 << parting) - 1)).count_ones();
        Some(Specificity::of_octets(parting + 2 * thrice as usize))
    }

    /// Whether a rule does not match because it writes, where it parts from the target, an escape or
    /// what must be escaped. `octets` stand there in the rule.
    #[inline]
    pub(crate) fn lacks_escape(&self, effect: Effect, parting: usize, octets: [u8; 3]) -> bool {
        let there = self.form.get(parting);
        if self.is_doubtful(effect, parting) || there == Some(&b'%') {
            return false;
        }
        match (octets, self.comparison) {
            // The target has another unit there, or none, unless it is what the escape stands for.
            ([b'%', high, low], Comparison::Units) => {
                let digit = |octet: u8| char::from(octet).to_digit(16);
                let written = digit(high)
                    .zip(digit(low))
                    .map(|(high, low)| high << 4 | low);
                written != there.map(|octet| u32::from(*octet))
            }
            ([b'%' | 0x80.., ..], _) => true,
            _ => false,
        }
    }

    /// Whether the two octets behind a `*` stand together nowhere in the target, if that tells that
    /// the rule does not match.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn lacks_pair<M: Masks>(&self, masks: M, pair: [u8; 2], effect: Effect) -> bool {
        let has_one_form = pair.map(|octet| PARTING[usize::from(octet)]) == [Parting::Tells; 2];
        // The directory of an index page has no `i` behind its slash.
        let for_directory = self.may_stand_for_directory(effect) && pair == *b"/i";
        has_one_form && !for_directory && !self.has_pair(masks, pair)
    }

    /// Whether rules of that effect may stand for the directory of an index page.
    #[inline]
    pub(crate) fn may_stand_for_directory(&self, effect: Effect) -> bool {
        self.index_page == IndexPage::StandsForItsDirectory && effect == Effect::Allow
    }

    /// Whether two octets stand together.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn has_pair<M: Masks>(&self, masks: M, [left, right]: [u8; 2]) -> bool {
        let stands_in = |octets: &[u8], at: usize| {
            let lefts = octets.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>);
            let rights = octets.get(at + 1..).and_then(<[u8]>::first_chunk::<BLOCK>);
            match (lefts, rights) {
                (Some(lefts), Some(rights)) => {
                    masks.equals(lefts, left) & masks.equals(rights, right) != 0
                }
                _ => false,
            }
        };
        if stands_in(&self.start, 0) || stands_in(&self.start, START - BLOCK - 1) {
            return true;
        }
        // The last place overlaps the one before.
        let last = self.form.len().saturating_sub(BLOCK + 1);
        (START - 1..last)
            .step_by(BLOCK)
            .chain([last])
            .any(|at| at >= START - BLOCK - 1 && stands_in(self.form, at))
    }
}

/// The row of a table that is about rules of that effect.
#[inline]
pub(crate) fn nth(effect: Effect) -> usize {
    match effect {
        Effect::Disallow => 0,
        Effect::Allow => 1,
    }
}

/// The block of the target's start that begins at `at`, 0 or [`BLOCK`].
#[inline]
fn block_at(start: &[u8; START], at: usize) -> &[u8; BLOCK] {
    let (blocks, _) = start.as_chunks::<BLOCK>();
    &blocks[at / BLOCK]
}
