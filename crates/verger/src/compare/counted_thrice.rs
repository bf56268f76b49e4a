//! Which octets of a rule count three in its specificity, found for a block at once.
//!
//! RFC 9309 writes reserved characters that are data as `%XX`, and the specificity of a rule counts
//! the octets of what is written. The reference is [`Specificity::of_plain`].
//!
//! *Measured* (`bench/ablation.md`): counted octet by octet, J5 takes 3.5 % more instructions and J1
//! `b_ecommerce` 1.8 %.
//!
//! [`Specificity::of_plain`]: crate::compare::path_pattern::Specificity::of_plain

use verger_simd::{Masks, OctetSet};

use crate::dialect::Comparison;

/// Reserved, and no delimiter of a path; `*` is none of them.
static IN_PATH: OctetSet = OctetSet::of(b":[]@!$&'()+,;=");
/// Reserved, and no delimiter of a query.
static IN_QUERY: OctetSet = OctetSet::of(b":/?[]@!$'()+,;");

/// The octets of `block` that count three, where a value starts at its first octet. The answer
/// holds for octets that are their own comparison form.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(crate) fn counted_thrice<M: Masks>(masks: M, block: &[u8; 32], comparison: Comparison) -> u32 {
    if comparison != Comparison::Units {
        return 0;
    }
    let questions = masks.equals(block, b'?');
    // Up to the first question mark, itself included; all octets where there is none.
    let path = questions ^ questions.wrapping_sub(1);
    masks.members(block, &IN_PATH) & path | masks.members(block, &IN_QUERY) & !path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::path_pattern::Specificity;
    use proptest::prelude::*;
    use verger_simd::{Kernel, dispatch};

    struct Counted<'b>(&'b [u8; 32], Comparison);

    impl Kernel for Counted<'_> {
        type Output = u32;

        fn run<M: Masks>(self, masks: M) -> u32 {
            counted_thrice(masks, self.0, self.1)
        }
    }

    proptest! {
        #[test]
        fn every_plain_rule_is_counted_as_the_reference_counts_it(
            value in "[a/?:=&*$!'();,+@\\[\\]~.]{32}",
            octets in 0_u32..32,
        ) {
            for comparison in [Comparison::Units, Comparison::Octets] {
                let block = value.as_bytes().first_chunk().unwrap();
                let thrice = dispatch(Counted(block, comparison)) & ((1 << octets) - 1);
                let reference = Specificity::of_plain(&block[..octets as usize], false, comparison);
                prop_assert_eq!(octets + 2 * thrice.count_ones(), reference.octets());
            }
        }
    }
}
