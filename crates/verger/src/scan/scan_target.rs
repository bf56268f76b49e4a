//! A target, prepared for the comparison of prefixes (`prefix_compare.rs`).
//!
//! *Idea.* The first 16 bytes of a value are compared with the first 16 bytes of the target's form.
//! The byte of the value at the first difference decides, through a table and without a branch,
//! whether the rule is ruled out. Usually it is, because that byte has only one form. The bytes
//! after it, and the end of the line, are never read.
//!
//! *Invariant.* If the offset of a mismatch is not doubtful and the table rules the byte out, the
//! rule does not match by the reference (`index::path_match`).

use verger_simd::{ByteSet, Masks};

use crate::compare::bytes::{ComparedTarget, Written, WrittenBytes};
use crate::compare::plain_bytes::SINGLE_FORM;
use crate::dialect::{Comparison, IndexPage};
use crate::verdict::Effect;

/// Number of bytes of a value that are compared at once.
pub(crate) const PREFIX: usize = 16;

/// Number of bytes that are compared if the first [`PREFIX`] do not decide.
pub(crate) const FAR_PREFIX: usize = 48;

const BLOCK: usize = 32;

const START: usize = 64;

/// The meaning of the first byte of a rule that differs from the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// The rule does not match. The byte has one form, does not end the value and is not special.
    RulesOut,
    /// A wildcard starts here.
    Wildcard,
    /// The value may end here, or continue in another spelling.
    Unclear,
}

pub(crate) static MISMATCH: [Mismatch; 256] = {
    let mut table = [Mismatch::Unclear; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        if SINGLE_FORM.contains(byte) {
            table[byte as usize] = Mismatch::RulesOut;
        }
        byte += 1;
    }
    table[b'*' as usize] = Mismatch::Wildcard;
    table
};

/// Wildcards, and bytes that end or cut the value of a rule. Only `google` compares raw control
/// bytes.
const ODD: ByteSet = ByteSet::new(b"*#\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F ");

/// ASCII bytes that are the same in a rule and in a target: not odd, not an anchor, and not part of
/// an escape.
const SURE: ByteSet = ByteSet::new(b"%$*#\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F ").ascii_complement();

/// A target, with facts that the comparison of prefixes needs.
pub(crate) struct ScanTarget<'t> {
    form: &'t [u8],
    compared: &'t ComparedTarget<'t>,
    comparison: Comparison,
    index_page: IndexPage,
    /// The first bytes of the form, padded with zeros.
    start: [u8; START],
    /// The bit after the last byte of the form, or after [`FAR_PREFIX`] bytes.
    end: u64,
    /// For disallow and for allow rules: a mask of the offsets at which a mismatch decides nothing.
    doubtful: [u64; 2],
    /// The same for [`PREFIX`] bytes.
    near_end: u32,
    near_doubtful: [u32; 2],
    has_escapes: bool,
    is_prefix_comparable: bool,
}

impl<'t> ScanTarget<'t> {
    #[inline(always)]
    pub(crate) fn new<M: Masks>(
        masks: M,
        compared: &'t ComparedTarget<'t>,
        comparison: Comparison,
        index_page: IndexPage,
    ) -> Self {
        let form = compared.form;
        let mut start = [0; START];
        match form.first_chunk::<START>() {
            Some(all) => start = *all,
            None => start[..form.len()].copy_from_slice(form),
        }
        let mut seen = Self {
            form,
            compared,
            comparison,
            index_page,
            start,
            end: 1 << form.len().min(FAR_PREFIX),
            doubtful: [1 << FAR_PREFIX; 2],
            near_end: 1 << form.len().min(PREFIX),
            near_doubtful: [1 << PREFIX; 2],
            has_escapes: false,
            is_prefix_comparable: comparison != Comparison::DecodedBytes,
        };
        if index_page == IndexPage::StandsForItsDirectory {
            // Google also tries the directory of an index page, which ends before the name of the
            // page.
            seen.doubtful[nth(Effect::Allow)] |= seen.end;
        }
        if seen.any_byte(|block| !masks.members(block, &SURE)) {
            seen.take_care(masks);
        }
        if !seen.is_prefix_comparable {
            seen.doubtful = [u64::MAX; 2];
        }
        for (near, all) in seen.near_doubtful.iter_mut().zip(seen.doubtful) {
            let [low, high, ..] = all.to_le_bytes();
            *near |= u32::from(u16::from_le_bytes([low, high]));
        }
        seen
    }

    /// Marks offsets as doubtful because of escapes and bytes that have another meaning in a rule.
    #[inline(always)]
    fn take_care<M: Masks>(&mut self, masks: M) {
        self.is_prefix_comparable &= !self.any_byte(|block| masks.members(block, &ODD));
        self.has_escapes = self.any_byte(|block| masks.equals(block, b'%'));
        // The same escape may be spelled in lower or upper case.
        let [low, high] = [0, BLOCK].map(|at| masks.equals(block_at(&self.start, at), b'%'));
        let escapes = u64::from(low) | u64::from(high) << BLOCK;
        for doubtful in &mut self.doubtful {
            *doubtful |= escapes << 1 | escapes << 2;
        }
    }

    #[inline(always)]
    fn any_byte(&self, mask: impl Fn(&[u8; BLOCK]) -> u32) -> bool {
        if self.form.len() < START {
            let low = mask(block_at(&self.start, 0));
            let high = mask(block_at(&self.start, BLOCK));
            let there = (1 << self.form.len()) - 1;
            return (u64::from(low) | u64::from(high) << BLOCK) & there != 0;
        }
        let (blocks, _) = self.form.as_chunks::<BLOCK>();
        let last = self.form.last_chunk::<BLOCK>();
        // The last block may overlap the one before it.
        blocks.iter().chain(last).any(|block| mask(block) != 0)
    }

    pub(crate) fn compared(&self) -> &'t ComparedTarget<'t> {
        self.compared
    }

    pub(crate) fn form(&self) -> &'t [u8] {
        self.form
    }

    pub(crate) fn comparison(&self) -> Comparison {
        self.comparison
    }

    pub(crate) fn has_escapes(&self) -> bool {
        self.has_escapes
    }

    pub(crate) fn is_prefix_comparable(&self) -> bool {
        self.is_prefix_comparable
    }

    /// Returns the offset of the first byte at which `value` and the target differ, or [`PREFIX`]
    /// if none differs.
    #[inline(always)]
    pub(crate) fn mismatch<M: Masks>(&self, masks: M, value: &[u8; PREFIX]) -> usize {
        let (blocks, _) = self.start.as_chunks::<PREFIX>();
        (masks.differs(value, &blocks[0]) | self.near_end).trailing_zeros() as usize
    }

    /// Returns the same for more bytes, or [`FAR_PREFIX`] if none differs.
    #[inline(always)]
    pub(crate) fn far_mismatch<M: Masks>(&self, masks: M, value: &[u8; FAR_PREFIX]) -> usize {
        let (blocks, _) = self.start.as_chunks::<PREFIX>();
        let (of_value, _) = value.as_chunks::<PREFIX>();
        let differs = |nth: usize| u64::from(masks.differs(&of_value[nth], &blocks[nth]));
        let differs = differs(0) | differs(1) << PREFIX | differs(2) << (2 * PREFIX);
        (differs | self.end).trailing_zeros() as usize
    }

    /// Returns whether a mismatch at this offset, up to [`PREFIX`], decides nothing in a rule with
    /// this effect.
    #[inline(always)]
    pub(crate) fn is_doubtful_near(&self, effect: Effect, mismatch: usize) -> bool {
        self.near_doubtful[nth(effect)] >> mismatch & 1 == 1
    }

    /// Returns whether a mismatch at this offset, up to [`FAR_PREFIX`], decides nothing in such a
    /// rule.
    #[inline(always)]
    pub(crate) fn is_doubtful(&self, effect: Effect, mismatch: usize) -> bool {
        self.doubtful[nth(effect)] >> mismatch & 1 == 1
    }

    /// Returns whether a mismatch at this offset, up to [`FAR_PREFIX`], decides nothing in any
    /// rule.
    pub(crate) fn is_doubtful_for_any(&self, mismatch: usize) -> bool {
        [Effect::Allow, Effect::Disallow]
            .iter()
            .any(|effect| self.is_doubtful(*effect, mismatch))
    }

    /// Returns whether a rule that continues with `rest` at its first difference cannot match,
    /// because `rest` starts with an escape and the target has none there.
    #[inline]
    pub(crate) fn lacks_escape(&self, effect: Effect, mismatch: usize, rest: &[u8]) -> bool {
        if self.is_doubtful(effect, mismatch) || self.form.get(mismatch) == Some(&b'%') {
            return false;
        }
        match WrittenBytes::of(rest).next() {
            Some(Written::Escaped(_)) if self.comparison == Comparison::Bytes => true,
            Some(Written::Raw(byte) | Written::Escaped(byte)) => !byte.is_ascii(),
            None => false,
        }
    }

    /// Returns whether rules with this effect may stand for the directory of an index page.
    #[inline]
    pub(crate) fn may_stand_for_directory(&self, effect: Effect) -> bool {
        self.index_page == IndexPage::StandsForItsDirectory && effect == Effect::Allow
    }
}

#[inline]
pub(crate) fn nth(effect: Effect) -> usize {
    match effect {
        Effect::Disallow => 0,
        Effect::Allow => 1,
    }
}

/// Returns the block of the target's start at `at`, which is 0 or [`BLOCK`].
#[inline]
fn block_at(start: &[u8; START], at: usize) -> &[u8; BLOCK] {
    let (blocks, _) = start.as_chunks::<BLOCK>();
    &blocks[at / BLOCK]
}
