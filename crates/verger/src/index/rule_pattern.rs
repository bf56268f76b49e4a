//! `RulePattern`: the value of a rule as an index uses it.

use alloc::boxed::Box;

use verger_simd::Masks;

use crate::compare::path_pattern::{PathPattern, Shape};
use crate::compare::pattern_value::{UnusablePattern, check_usable, strip_anchor};
use crate::compare::plain_bytes::{is_plain, plain_bytes};
use crate::compare::plain_pattern::PlainPattern;
use crate::compare::specificity::{Specificity, counted_thrice};
use crate::dialect::Comparison;
use crate::span::offset;

/// Maximum size of a value examined with masks, in bytes.
const WINDOW: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RulePattern<'r> {
    Prefix(&'r [u8]),
    Whole(&'r [u8]),
    /// In comparison form.
    Wildcards(PlainPattern<'r>),
    /// Not in comparison form.
    Compiled(Box<PathPattern>),
}

impl<'r> RulePattern<'r> {
    pub(crate) fn new(
        value: &'r [u8],
        comparison: Comparison,
    ) -> Result<(Self, Specificity), UnusablePattern> {
        check_usable(value, comparison)?;
        if !is_plain(value, comparison) {
            let pattern = PathPattern::compile(value, comparison)?;
            let specificity = pattern.specificity();
            return Ok((Self::Compiled(Box::new(pattern)), specificity));
        }
        if comparison == Comparison::DecodedBytes {
            return Ok((Self::Prefix(value), Specificity::of_bytes(value.len())));
        }
        let (bytes, anchored) = strip_anchor(value);
        let specificity = Specificity::of_plain(bytes, anchored, comparison);
        let pattern = match bytes.iter().position(|&byte| byte == b'*') {
            None if anchored => Self::Whole(bytes),
            None => Self::Prefix(bytes),
            // A final `*` matches whatever follows.
            Some(star) if bytes[star..].iter().all(|&byte| byte == b'*') => {
                Self::Prefix(&bytes[..star])
            }
            Some(_) => Self::Wildcards(PlainPattern::of(value)),
        };
        Ok((pattern, specificity))
    }

    /// Returns `None` if the value is not in comparison form. The value must fit in the window.
    #[inline(always)]
    pub(crate) fn of_short<M: Masks>(
        masks: M,
        value: &'r [u8],
        window: &[u8; WINDOW],
        comparison: Comparison,
    ) -> Option<(Self, Specificity)> {
        let plain = plain_bytes(comparison)?;
        if !masks.members_of_two(window, plain) & first_bits(value.len()) != 0 {
            return None;
        }
        let (bytes, anchored) = strip_anchor(value);
        let there = first_bits(bytes.len());
        let thrice = counted_thrice(masks, window, 0, comparison) & there;
        let specificity = Specificity::of_bytes(value.len() + 2 * thrice.count_ones() as usize);
        let stars = masks.equals_of_two(window, b'*') & there;
        let star = stars.trailing_zeros();
        let pattern = match (there & !stars).checked_shr(star) {
            None if anchored => Self::Whole(bytes),
            None => Self::Prefix(bytes),
            Some(0) => Self::Prefix(&bytes[..star as usize]),
            Some(_) => Self::Wildcards(PlainPattern::of(value)),
        };
        Some((pattern, specificity))
    }

    pub(crate) fn shape(&self) -> Shape {
        match self {
            Self::Prefix(_) => Shape::Prefix,
            Self::Whole(_) => Shape::Whole,
            Self::Wildcards(_) => Shape::Wildcards,
            Self::Compiled(pattern) => pattern.shape(),
        }
    }

    /// Returns the form of the part before the first `*`.
    pub(crate) fn head(&self) -> &[u8] {
        match self {
            Self::Prefix(text) | Self::Whole(text) => text,
            Self::Wildcards(pattern) => pattern.head(),
            Self::Compiled(pattern) => pattern.head(),
        }
    }

    /// Visits runs without which a target cannot match, the head first.
    pub(crate) fn for_each_run<'p>(&'p self, visit: impl FnMut(&'p [u8])) {
        match self {
            Self::Prefix(text) | Self::Whole(text) => [*text].into_iter().for_each(visit),
            Self::Wildcards(pattern) => pattern.fragments().for_each(visit),
            Self::Compiled(pattern) => pattern.for_each_run(visit),
        }
    }
}

#[inline]
pub(crate) fn first_bits(count: usize) -> u64 {
    u64::MAX
        .checked_shl(offset(count))
        .map_or(u64::MAX, |not| !not)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use verger_simd::{Kernel, dispatch};

    struct Short<'r>(&'r [u8], [u8; WINDOW], Comparison);

    impl<'r> Kernel for Short<'r> {
        type Output = Option<(RulePattern<'r>, Specificity)>;

        fn run<M: Masks>(self, masks: M) -> Self::Output {
            let Self(value, window, comparison) = self;
            RulePattern::of_short(masks, value, &window, comparison)
        }
    }

    proptest! {
        #[test]
        fn a_short_value_is_read_by_masks_as_byte_by_byte(
            value in "[/*][a/?=,*]{0,62}[$a*]?",
            other in prop::option::of((any::<u8>(), 1_usize..64)),
            after in prop::collection::vec(any::<u8>(), WINDOW),
        ) {
            let mut value = value.into_bytes();
            if let Some((byte, at)) = other.filter(|(_, at)| *at < value.len()) {
                value[at] = byte;
            }
            value.truncate(WINDOW);
            let mut window = [0; WINDOW];
            window.copy_from_slice(&[&value, &*after].concat()[..WINDOW]);
            for &comparison in &[Comparison::Units, Comparison::Bytes, Comparison::DecodedBytes] {
                let short = dispatch(Short(&value, window, comparison));
                let expected = RulePattern::new(&value, comparison).ok();
                let is_plain = is_plain(&value, comparison) && plain_bytes(comparison).is_some();
                prop_assert_eq!(short, expected.filter(|_| is_plain), "{:?}", comparison);
            }
        }
    }
}
