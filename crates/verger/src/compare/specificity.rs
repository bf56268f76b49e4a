//! `Specificity`: how specific a rule is (RFC 9309 2.2.2).
//!
//! RFC 9309 writes reserved characters that are data as `%XX`, and the specificity of a rule counts the octets of
//! what is written. Of a short rule, masks find the octets that count three ([`counted_thrice`]); the reference is
//! [`Specificity::of_plain`].
//!
//! *Measured* (`bench/ablation.md`): counted octet by octet, J5 takes 3.5 % more instructions, J1 `b_ecommerce`
//! 2.1 %, and J9 of it with 10 questions 2.5 %.

use verger_simd::{Masks, OctetSet};

use crate::compare::octets::{self, Component, Written};
use crate::dialect::Comparison;
use crate::span::offset;

/// How specific a rule is: the octets of its pattern in comparison form, `*` and `$` counted one
/// each. R9309-2.2.2-4, V-34.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Specificity(u32);

impl Specificity {
    pub(crate) fn of_octets(octets: usize) -> Self {
        Self(offset(octets))
    }

    /// That of a value whose fragments are their own forms, without the `$` that anchors it.
    pub(crate) fn of_plain(value: &[u8], anchored: bool, comparison: Comparison) -> Self {
        let octets = match comparison {
            Comparison::Octets | Comparison::DecodedOctets => value.len(),
            Comparison::Units => {
                let question_mark = value.iter().position(|&octet| octet == b'?');
                let (path, query) = value.split_at(question_mark.map_or(value.len(), |at| at + 1));
                let sum = |octets: &[u8], counts: &[u8; 256]| -> usize {
                    let counts = octets.iter().map(|&octet| counts[usize::from(octet)]);
                    counts.map(usize::from).sum()
                };
                sum(path, &RAW_OCTETS_IN_PATH) + sum(query, &RAW_OCTETS_IN_QUERY)
            }
        };
        Self::of_octets(octets + usize::from(anchored))
    }

    /// The number of octets.
    #[must_use]
    pub fn octets(self) -> u32 {
        self.0
    }
}

/// How many octets an octet of a rule takes in the canonical rule: one where it is written as it is, three where
/// it is written as `%XX`. RFC 9309 writes data as escapes, whatever form is compared here.
pub(crate) const fn octets_in_canonical_rule(written: Written, component: Component) -> u8 {
    match written {
        Written::Raw(b'*') => 1,
        Written::Raw(octet) if component.is_delimited_by(octet) => 1,
        Written::Raw(octet) | Written::Escaped(octet) if octets::is_unreserved(octet) => 1,
        Written::Raw(_) | Written::Escaped(_) => 3,
    }
}

/// The same of raw octets, which most rules are made of.
static RAW_OCTETS_IN_PATH: [u8; 256] = raw_octets_in(Component::Path);
static RAW_OCTETS_IN_QUERY: [u8; 256] = raw_octets_in(Component::Query);

const fn raw_octets_in(component: Component) -> [u8; 256] {
    let mut counts = [0; 256];
    let mut octet = u8::MAX;
    loop {
        counts[octet as usize] = octets_in_canonical_rule(Written::Raw(octet), component);
        if octet == 0 {
            return counts;
        }
        octet -= 1;
    }
}

/// Reserved, and no delimiter of a path; `*` is none of them.
static IN_PATH: OctetSet = OctetSet::of(b":[]@!$&'()+,;=");
/// Reserved, and no delimiter of a query.
static IN_QUERY: OctetSet = OctetSet::of(b":/?[]@!$'()+,;");

/// Which octets count three, of those from `at` on, where a value starts. The answer holds for octets that are
/// their own comparison form.
#[inline(always)]
pub(crate) fn counted_thrice<M: Masks>(
    masks: M,
    octets: &[u8; 64],
    at: usize,
    comparison: Comparison,
) -> u64 {
    if comparison != Comparison::Units {
        return 0;
    }
    let questions = masks.equals_of_two(octets, b'?') >> at;
    // Up to the first question mark, itself included; all octets where there is none.
    let path = questions ^ questions.wrapping_sub(1);
    let in_path = masks.members_of_two(octets, &IN_PATH) >> at;
    if questions == 0 {
        return in_path;
    }
    in_path & path | masks.members_of_two(octets, &IN_QUERY) >> at & !path
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use verger_simd::kernel;

    kernel! {
        fn counted<'b>(masks: M, octets: &'b [u8; 64], at: usize, comparison: Comparison) -> u64 {
            counted_thrice(masks, octets, at, comparison)
        }
    }

    proptest! {
        #[test]
        fn every_plain_rule_is_counted_as_the_reference_counts_it(
            value in "[a/:=&*$!'();,+@\\[\\]~.]{0,40}[a/?:=&*$!'();,+@\\[\\]~.]{64}",
            at in 0_u32..32,
            octets in 0_u32..64,
        ) {
            for comparison in [Comparison::Units, Comparison::Octets] {
                let value: &[u8; 64] = value.as_bytes().first_chunk().unwrap();
                let octets = octets.max(at);
                let thrice = counted(value, at as usize, comparison) & ((1 << (octets - at)) - 1);
                let value = &value[at as usize..octets as usize];
                let reference = Specificity::of_plain(value, false, comparison);
                prop_assert_eq!(octets - at + 2 * thrice.count_ones(), reference.octets());
            }
        }
    }
}
