//! Which octets of a rule count three in its specificity, found for a block at once.
//!
//! RFC 9309 writes reserved characters that are data as `%XX`, and the specificity of a rule counts
//! the octets of what is written. The reference is [`Specificity::of_plain`].
//!
//! *Measured* (`bench/ablation.md`): counted octet by octet, J5 takes 3.5 % more instructions and J1
//! `b_ecommerce` 1.8 %.
//!
//! [`Specificity::of_plain`]: crate::compare::specificity::Specificity::of_plain

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

/// The same of two blocks.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(crate) fn counted_thrice_of_two<M: Masks>(
    masks: M,
    octets: &[u8; 64],
    comparison: Comparison,
) -> u64 {
    let (blocks, _) = octets.as_chunks();
    let low = counted_thrice(masks, &blocks[0], comparison);
    let high = if comparison == Comparison::Units && masks.equals(&blocks[0], b'?') != 0 {
        masks.members(&blocks[1], &IN_QUERY)
    } else {
        counted_thrice(masks, &blocks[1], comparison)
    };
    u64::from(low) | u64::from(high) << 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::specificity::Specificity;
    use proptest::prelude::*;
    use verger_simd::{Kernel, dispatch};

    struct Counted<'b>(&'b [u8; 64], Comparison);

    impl Kernel for Counted<'_> {
        type Output = (u32, u64);

        fn run<M: Masks>(self, masks: M) -> Self::Output {
            let Self(octets, comparison) = self;
            let block = octets.first_chunk().unwrap();
            let of_two = counted_thrice_of_two(masks, octets, comparison);
            (counted_thrice(masks, block, comparison), of_two)
        }
    }

    proptest! {
        #[test]
        fn every_plain_rule_is_counted_as_the_reference_counts_it(
            value in "[a/:=&*$!'();,+@\\[\\]~.]{0,40}[a/?:=&*$!'();,+@\\[\\]~.]{64}",
            octets in 0_u32..64,
        ) {
            for comparison in [Comparison::Units, Comparison::Octets] {
                let value = value.as_bytes().first_chunk().unwrap();
                let (of_block, of_two) = dispatch(Counted(value, comparison));
                let thrice = of_two & ((1 << octets) - 1);
                let reference = Specificity::of_plain(&value[..octets as usize], false, comparison);
                prop_assert_eq!(octets + 2 * thrice.count_ones(), reference.octets());
                prop_assert_eq!(u64::from(of_block), of_two & u64::from(u32::MAX));
            }
        }
    }
}
