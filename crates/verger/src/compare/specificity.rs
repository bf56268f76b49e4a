//! `Specificity`: how specific a rule is (RFC 9309 2.2.2).
//!
//! RFC 9309 writes reserved characters that are data as `%XX`, and specificity is the number of
//! bytes so written.
//!
//! *Measured* (`bench/ablation.md`): counting byte by byte, J5 takes 3.5 % more instructions, J1
//! `b_ecommerce` 2.1 %, and J9 of that file with 10 questions 2.5 %.

use verger_simd::{ByteSet, Masks};

use crate::compare::bytes::{self, Component, Written};
use crate::dialect::Comparison;
use crate::span::offset;

/// How specific a rule is: the number of bytes of its pattern in canonical form. `*` and `$` count
/// as one byte each. R9309-2.2.2-4, V-34.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Specificity(u32);

impl Specificity {
    pub(crate) fn of_bytes(bytes: usize) -> Self {
        Self(offset(bytes))
    }

    /// Requires a value without a final `$`.
    pub(crate) fn of_plain(value: &[u8], anchored: bool, comparison: Comparison) -> Self {
        let bytes = match comparison {
            Comparison::Bytes | Comparison::DecodedBytes => value.len(),
            Comparison::Units => {
                let question_mark = value.iter().position(|&byte| byte == b'?');
                let (path, query) = value.split_at(question_mark.map_or(value.len(), |at| at + 1));
                let sum = |bytes: &[u8], counts: &[u8; 256]| -> usize {
                    let counts = bytes.iter().map(|&byte| counts[usize::from(byte)]);
                    counts.map(usize::from).sum()
                };
                sum(path, &RAW_BYTES_IN_PATH) + sum(query, &RAW_BYTES_IN_QUERY)
            }
        };
        Self::of_bytes(bytes + usize::from(anchored))
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn bytes(self) -> u32 {
        self.0
    }
}

/// Returns one if the byte is written as it is, three if written as `%XX`. RFC 9309 writes data as
/// escapes, whatever form is compared here.
pub(crate) const fn bytes_in_canonical_rule(written: Written, component: Component) -> u8 {
    match written {
        Written::Raw(b'*') => 1,
        Written::Raw(byte) if component.is_delimited_by(byte) => 1,
        Written::Raw(byte) | Written::Escaped(byte) if bytes::is_unreserved(byte) => 1,
        Written::Raw(_) | Written::Escaped(_) => 3,
    }
}

static RAW_BYTES_IN_PATH: [u8; 256] = raw_bytes_in(Component::Path);
static RAW_BYTES_IN_QUERY: [u8; 256] = raw_bytes_in(Component::Query);

const fn raw_bytes_in(component: Component) -> [u8; 256] {
    let mut counts = [0; 256];
    let mut byte = u8::MAX;
    loop {
        counts[byte as usize] = bytes_in_canonical_rule(Written::Raw(byte), component);
        if byte == 0 {
            return counts;
        }
        byte -= 1;
    }
}

/// `*` is excluded.
static IN_PATH: ByteSet = ByteSet::new(b":[]@!$&'()+,;=");
static IN_QUERY: ByteSet = ByteSet::new(b":/?[]@!$'()+,;");

/// Requires a value in comparison form that starts at `at`.
#[inline(always)]
pub(crate) fn counted_thrice<M: Masks>(
    masks: M,
    bytes: &[u8; 64],
    at: usize,
    comparison: Comparison,
) -> u64 {
    if comparison != Comparison::Units {
        return 0;
    }
    let questions = masks.equals_of_two(bytes, b'?') >> at;
    // The path ends with the first question mark, inclusive, or at the end.
    let path = questions ^ questions.wrapping_sub(1);
    let in_path = masks.members_of_two(bytes, &IN_PATH) >> at;
    if questions == 0 {
        return in_path;
    }
    in_path & path | masks.members_of_two(bytes, &IN_QUERY) >> at & !path
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use verger_simd::kernel;

    kernel! {
        fn counted<'b>(masks: M, bytes: &'b [u8; 64], at: usize, comparison: Comparison) -> u64 {
            counted_thrice(masks, bytes, at, comparison)
        }
    }

    proptest! {
        #[test]
        fn every_plain_rule_is_counted_as_the_reference_counts_it(
            value in "[a/:=&*$!'();,+@\\[\\]~.]{0,40}[a/?:=&*$!'();,+@\\[\\]~.]{64}",
            at in 0_u32..32,
            bytes in 0_u32..64,
        ) {
            for comparison in [Comparison::Units, Comparison::Bytes] {
                let value: &[u8; 64] = value.as_bytes().first_chunk().unwrap();
                let bytes = bytes.max(at);
                let thrice = counted(value, at as usize, comparison) & ((1 << (bytes - at)) - 1);
                let value = &value[at as usize..bytes as usize];
                let reference = Specificity::of_plain(value, false, comparison);
                prop_assert_eq!(bytes - at + 2 * thrice.count_ones(), reference.bytes());
            }
        }
    }
}
