//! A value without a comment or control octet, trimmed at a glance.
//!
//! Most values are short: two masks of the octets up to the end of the line, one of white space
//! and one of what is not plain, tell where the value starts and ends and that nothing in it needs
//! another look. Where nothing but SPACE, TAB and printable or non-ASCII octets stand, white space
//! is the same in every dialect.

use verger_simd::{Masks, OctetSet};

use crate::limits::GOOGLE_LINE_OCTETS_MAX;
use crate::octet_search::has_member;
use crate::span::{Span, offset};

/// Octets whose masks are taken together.
const BLOCK: usize = 32;

/// Octets of a value that are seen at a glance.
pub(crate) const GLANCE: usize = 2 * BLOCK;

/// `#` and the control octets but TAB.
static NOT_PLAIN: OctetSet = OctetSet::of(
    b"#\x00\x01\x02\x03\x04\x05\x06\x07\x08\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F",
);

/// The span without white space at either end, where no octet in it is odd. Of nothing but white
/// space its start is left. `glance` are the octets from its start on, and others behind its end.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(crate) fn plain_value<M: Masks>(
    masks: M,
    glance: &[u8; GLANCE],
    span: Span,
    body: &[u8],
) -> Option<Span> {
    let count = span.len();
    if count > offset(GLANCE) {
        return long_plain_value(masks, span, body);
    }
    let (blocks, _) = glance.as_chunks::<BLOCK>();
    let (mut odd, mut white) = classes(masks, &blocks[0]);
    if count > offset(BLOCK) {
        let (odd_behind, white_behind) = classes(masks, &blocks[1]);
        odd |= odd_behind << BLOCK;
        white |= white_behind << BLOCK;
    }
    let there = u64::MAX.checked_shr(64 - count).unwrap_or(0);
    if odd & there != 0 {
        return None;
    }
    let black = !white & there;
    // Of no bit both are 0.
    let lead = black.trailing_zeros() % u64::BITS;
    let end = u64::BITS - black.leading_zeros();
    Some(Span {
        start: span.start + lead,
        end: span.start + end,
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

#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
fn long_plain_value<M: Masks>(masks: M, span: Span, body: &[u8]) -> Option<Span> {
    let range = span.start as usize..span.end as usize;
    if range.len() > VALUE_OCTETS_MAX || has_member(masks, body, range, &NOT_PLAIN) {
        return None;
    }
    let is_black = |octet: &u8| !matches!(octet, b' ' | b'\t');
    let octets = span.of(body);
    let lead = octets.iter().position(is_black).unwrap_or(0);
    let end = octets.iter().rposition(is_black).map_or(0, |last| last + 1);
    Some(Span {
        start: span.start + offset(lead),
        end: span.start + offset(end),
    })
}

/// A line with a longer value and a usual key is longer than Google's library reads.
const VALUE_OCTETS_MAX: usize = GOOGLE_LINE_OCTETS_MAX - "user-agent:".len();
