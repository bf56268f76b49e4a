//! A value without a comment or control octet, trimmed by vector comparisons.
//!
//! Most values are short: two masks of the octets up to the end of the line, one of white space
//! and one of what is not plain, tell where the value starts and ends and that nothing in it needs
//! another look. Where nothing but SPACE, TAB and printable or non-ASCII octets stand, white space
//! is the same in every dialect.

use verger_simd::Masks;

use crate::span::Span;

/// Octets whose masks are taken together.
const BLOCK: usize = 32;

/// Octets that are compared at once; a value has one less, so that its end is among them.
pub(crate) const VALUE_WINDOW: usize = 2 * BLOCK;

/// Where a value stands behind its colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainValue {
    /// Octets of white space before it; 0 where nothing else stands there.
    pub(crate) lead: u8,
    pub(crate) octets: u8,
}

impl PlainValue {
    /// Where it stands behind the octet before `start`.
    pub(crate) fn behind(self, start: u32) -> Span {
        let start = start + u32::from(self.lead);
        Span {
            start,
            end: start + u32::from(self.octets),
        }
    }
}

/// The value in the first `count` octets of a window, without white space at either end; `None`
/// where there are more than seen, or an odd one among them.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(crate) fn plain_value<M: Masks>(
    masks: M,
    window: &[u8; VALUE_WINDOW],
    count: usize,
) -> Option<PlainValue> {
    if count >= VALUE_WINDOW {
        return None;
    }
    let (blocks, _) = window.as_chunks::<BLOCK>();
    let (mut odd, mut white) = classes(masks, &blocks[0]);
    if count > BLOCK {
        let (odd_behind, white_behind) = classes(masks, &blocks[1]);
        odd |= odd_behind << BLOCK;
        white |= white_behind << BLOCK;
    }
    let there = (1 << count) - 1;
    if odd & there != 0 {
        return None;
    }
    let black = !white & there;
    // Of no bit both are 0.
    let lead = black.trailing_zeros() % u64::BITS;
    let end = u64::BITS - black.leading_zeros();
    // Both are less than 64.
    let [lead_octets, ..] = lead.to_le_bytes();
    let [octets, ..] = end.wrapping_sub(lead).to_le_bytes();
    Some(PlainValue {
        lead: lead_octets,
        octets,
    })
}

/// Which octets end a value or spoil its line, and which are white space.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
fn classes<M: Masks>(masks: M, block: &[u8; BLOCK]) -> (u64, u64) {
    let tab = masks.equals(block, b'\t');
    let odd = masks.equals(block, b'#') | masks.at_most(block, 0x1F) & !tab;
    let white = tab | masks.equals(block, b' ');
    (u64::from(odd), u64::from(white))
}
