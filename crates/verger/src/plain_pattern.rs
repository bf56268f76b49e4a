//! `PlainPattern`: a value with wildcards whose fragments are their own comparison forms, matched
//! as it stands, without being compiled.
//!
//! Most rules are plain. What `path_pattern.rs` says of matching holds here too: fragments are
//! taken leftmost and nothing is tried twice. `PathPattern` is the plain twin.

use verger_simd::Masks;

use crate::octet_search::{Alignment, BLOCK, Haystack, first_bits};
use crate::path_pattern::strip_anchor;

/// The value of a rule, ready to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainPattern<'p> {
    /// Without the `$` that anchors it.
    octets: &'p [u8],
    anchored: bool,
}

impl<'p> PlainPattern<'p> {
    /// The pattern of a value that is plain ([`crate::path_pattern::is_plain`]) and starts with
    /// `/` or `*`.
    #[inline]
    pub(crate) fn of(value: &'p [u8]) -> Self {
        let (octets, anchored) = strip_anchor(value);
        Self { octets, anchored }
    }

    /// What stands before the first `*`, and what behind it.
    #[inline]
    fn split(self) -> (&'p [u8], Option<&'p [u8]>) {
        match self.octets.iter().position(|&octet| octet == b'*') {
            Some(star) => (&self.octets[..star], Some(&self.octets[star + 1..])),
            None => (self.octets, None),
        }
    }

    /// What stands before the first `*`.
    pub(crate) fn head(self) -> &'p [u8] {
        self.split().0
    }

    /// The fragments, the head first; empty ones too.
    pub(crate) fn fragments(self) -> impl DoubleEndedIterator<Item = &'p [u8]> {
        self.octets.split(|&octet| octet == b'*')
    }

    /// Whether the pattern matches, from the target's first octet on. R9309-2.2.2-3.
    #[inline]
    pub(crate) fn matches<M: Masks>(
        self,
        masks: M,
        target: Haystack<'_>,
        alignment: Alignment,
    ) -> bool {
        let (head, behind) = self.split();
        if !target.octets().starts_with(head) {
            return false;
        }
        let Some(behind) = behind else {
            return !self.anchored || head.len() == target.octets().len();
        };
        let mut from = head.len();
        let mut fragments = behind.split(|&octet| octet == b'*').peekable();
        while let Some(fragment) = fragments.next() {
            let place = if fragments.peek().is_none() && self.anchored {
                target.find_at_end(from, fragment, alignment)
            } else {
                target.find(masks, from, fragment, alignment)
            };
            match place {
                Some(start) => from = start + fragment.len(),
                None => return false,
            }
        }
        true
    }
}

/// What [`PlainPattern::matches`] answers about a value of `length` octets at the start of a block,
/// with its stars found at once; `None` where the head is too long for that.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(crate) fn matches_short<M: Masks>(
    masks: M,
    value: &[u8; BLOCK],
    length: usize,
    target: Haystack<'_>,
    alignment: Alignment,
) -> Option<bool> {
    let mut wildcards = masks.equals(value, b'*') & first_bits(length);
    let mut from = wildcards.trailing_zeros() as usize;
    let (halves, _) = value.as_chunks::<16>();
    let (of_target, _) = target.first_block()?.as_chunks::<16>();
    let differs = masks.differs(&halves[0], &of_target[0]);
    let common = (differs | 1 << 16).trailing_zeros() as usize;
    if from > common || from > target.octets().len() {
        // A longer head is compared elsewhere.
        return (common < 16).then_some(false);
    }
    let anchored = value.get(length.wrapping_sub(1)) == Some(&b'$');
    let end = length - usize::from(anchored);
    while wildcards != 0 {
        let start = wildcards.trailing_zeros() as usize + 1;
        wildcards &= wildcards - 1;
        let is_last = wildcards == 0;
        let end = end.min(wildcards.trailing_zeros() as usize);
        let fragment = value.get(start..end)?;
        let place = if is_last && anchored {
            target.find_at_end(from, fragment, alignment)
        } else {
            target.find(masks, from, fragment, alignment)
        };
        match place {
            Some(start) => from = start + fragment.len(),
            None => return Some(false),
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Comparison;
    use crate::octet_search::Room;
    use crate::path_pattern::PathPattern;
    use proptest::prelude::*;
    use verger_simd::{Kernel, dispatch, dispatch_portable};

    #[derive(Clone, Copy)]
    struct Matches<'q>(PlainPattern<'q>, &'q [u8], Alignment);

    impl Kernel for Matches<'_> {
        type Output = bool;

        fn run<M: Masks>(self, masks: M) -> bool {
            let mut room = Room::new();
            let Self(pattern, target, alignment) = self;
            pattern.matches(masks, Haystack::new(target, &mut room), alignment)
        }
    }

    proptest! {
        #[test]
        fn a_plain_pattern_matches_as_a_compiled_one(
            value in "[/*]([ab/A0]|\\*){0,12}\\$?",
            target in "/([ab/]|%AA|%0A){0,40}",
        ) {
            for (comparison, alignment) in [
                (Comparison::Units, Alignment::Units),
                (Comparison::Octets, Alignment::Octets),
            ] {
                let compiled = PathPattern::new(value.as_bytes(), comparison).unwrap();
                let expected = compiled.matches(target.as_bytes());
                let plain = PlainPattern::of(value.as_bytes());
                let question = Matches(plain, target.as_bytes(), alignment);
                prop_assert_eq!(dispatch(question), expected);
                prop_assert_eq!(dispatch_portable(question), expected);
            }
        }
    }
}
