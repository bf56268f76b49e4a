//! `PlainPattern`: a value with wildcards whose fragments are their own comparison forms, matched
//! as it stands, without being compiled.
//!
//! Most rules are plain. What `path_pattern.rs` says of matching holds here too: fragments are
//! taken leftmost and nothing is tried twice. `PathPattern` is the plain twin.

use verger_simd::Masks;

use crate::octet_search::{Alignment, Haystack};
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
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn matches<M: Masks>(
        self,
        masks: M,
        target: Haystack<'_>,
        alignment: Alignment,
    ) -> bool {
        let (head, mut behind) = self.split();
        let octets = target.octets();
        if !octets.starts_with(head) {
            return false;
        }
        if behind.is_none() {
            return !self.anchored || head.len() == octets.len();
        }
        let mut from = head.len();
        while let Some(rest) = behind {
            let star = rest.iter().position(|&octet| octet == b'*');
            let (fragment, next) = match star {
                Some(star) => (&rest[..star], Some(&rest[star + 1..])),
                None => (rest, None),
            };
            if next.is_none() && self.anchored {
                let start = octets.len().checked_sub(fragment.len());
                return start.is_some_and(|start| {
                    start >= from && target.stands_at(fragment, start, alignment)
                });
            }
            match target.find(masks, from, fragment, alignment) {
                Some(start) => from = start + fragment.len(),
                None => return false,
            }
            behind = next;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Comparison;
    use crate::path_pattern::PathPattern;
    use proptest::prelude::*;
    use verger_simd::{Kernel, dispatch, dispatch_portable};

    #[derive(Clone, Copy)]
    struct Matches<'q>(PlainPattern<'q>, &'q [u8], Alignment);

    impl Kernel for Matches<'_> {
        type Output = bool;

        fn run<M: Masks>(self, masks: M) -> bool {
            let mut room = [0; 32];
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
