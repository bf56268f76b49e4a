//! `PlainPattern`: a value with wildcards that is already in comparison form and is matched as
//! written, without being compiled.
//!
//! The idea of `path_pattern.rs`, the reference, applies: fragments are matched leftmost, without
//! backtracking.

use verger_simd::{Kernel, Masks, dispatch};

use crate::compare::byte_search::{Alignment, BLOCK, Haystack, Room, first_bits};
use crate::compare::pattern_value::strip_anchor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainPattern<'p> {
    /// The value without a final `$`.
    bytes: &'p [u8],
    anchored: bool,
}

impl<'p> PlainPattern<'p> {
    /// Requires a plain value ([`crate::compare::plain_bytes::is_plain`]) that starts with `/` or
    /// `*`.
    #[inline]
    pub(crate) fn of(value: &'p [u8]) -> Self {
        let (bytes, anchored) = strip_anchor(value);
        Self { bytes, anchored }
    }

    #[inline]
    fn split(self) -> (&'p [u8], Option<&'p [u8]>) {
        match self.bytes.iter().position(|&byte| byte == b'*') {
            Some(star) => (&self.bytes[..star], Some(&self.bytes[star + 1..])),
            None => (self.bytes, None),
        }
    }

    pub(crate) fn head(self) -> &'p [u8] {
        self.split().0
    }

    /// Returns all fragments, including the head and empty ones.
    pub(crate) fn fragments(self) -> impl DoubleEndedIterator<Item = &'p [u8]> {
        self.bytes.split(|&byte| byte == b'*')
    }

    /// Matches from the first byte on. R9309-2.2.2-3.
    pub(crate) fn matches_target(self, target: &[u8], alignment: Alignment) -> bool {
        dispatch(Ask(self, target, alignment))
    }

    #[inline]
    pub(crate) fn matches<M: Masks>(
        self,
        masks: M,
        target: Haystack<'_>,
        alignment: Alignment,
    ) -> bool {
        let (head, tail) = self.split();
        if !target.bytes().starts_with(head) {
            return false;
        }
        match tail {
            None => !self.anchored || head.len() == target.bytes().len(),
            Some(tail) => self.matches_tail(tail, masks, target, (head.len(), alignment)),
        }
    }

    /// Matches `tail`, the part after the first `*`.
    #[inline(always)]
    fn matches_tail<M: Masks>(
        self,
        tail: &[u8],
        masks: M,
        target: Haystack<'_>,
        (mut from, alignment): (usize, Alignment),
    ) -> bool {
        let mut fragments = tail.split(|&byte| byte == b'*').peekable();
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

/// Matches a value at the start of a block, with a `*` in it. Returns `None` if the head is too
/// long for one comparison.
#[inline(always)]
pub(crate) fn matches_short<M: Masks>(
    masks: M,
    value: &[u8; BLOCK],
    length: usize,
    target: Haystack<'_>,
    alignment: Alignment,
) -> Option<bool> {
    let stars = masks.equals(value, b'*') & first_bits(length);
    let head = stars.trailing_zeros() as usize;
    let (halves, _) = value.as_chunks::<16>();
    let (of_target, _) = target.first_block()?.as_chunks::<16>();
    let differs = masks.differs(&halves[0], &of_target[0]);
    let common = (differs | 1 << 16).trailing_zeros() as usize;
    if head > common || head > target.bytes().len() {
        return (common < 16).then_some(false);
    }
    let pattern = PlainPattern::of(value.get(..length)?);
    let tail = pattern.bytes.get(head + 1..)?;
    Some(pattern.matches_tail(tail, masks, target, (head, alignment)))
}

struct Ask<'q>(PlainPattern<'q>, &'q [u8], Alignment);

impl Kernel for Ask<'_> {
    type Output = bool;

    fn run<M: Masks>(self, masks: M) -> bool {
        let mut room = Room::new();
        let Self(pattern, target, alignment) = self;
        pattern.matches(masks, Haystack::new(target, &mut room), alignment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::bytes::ComparedTarget;
    use crate::compare::path_pattern::PathPattern;
    use crate::dialect::Comparison;
    use proptest::prelude::*;
    use verger_simd::dispatch_portable;

    #[derive(Clone, Copy)]
    struct Short<'q>(&'q [u8], &'q [u8], Alignment);

    impl Kernel for Short<'_> {
        type Output = Option<bool>;

        fn run<M: Masks>(self, masks: M) -> Option<bool> {
            let mut room = Room::new();
            let Self(value, target, alignment) = self;
            let mut block = [b'*'; BLOCK];
            block[..value.len()].copy_from_slice(value);
            let target = Haystack::new(target, &mut room);
            matches_short(masks, &block, value.len(), target, alignment)
        }
    }

    proptest! {
        #[test]
        fn a_plain_pattern_matches_as_a_compiled_one(
            value in "[/*]([ab/A0]|\\*){0,12}\\$?|/a{10,26}\\*b?\\$?",
            target in "/([ab/]|%AA|%0A){0,40}|/a{10,60}b?|/a{120,130}b{0,70}",
        ) {
            for (comparison, alignment) in [
                (Comparison::Units, Alignment::Units),
                (Comparison::Bytes, Alignment::Bytes),
            ] {
                let (value, target) = (value.as_bytes(), target.as_bytes());
                let compiled = PathPattern::compile(value, comparison).unwrap();
                let expected = compiled.matches_form(&ComparedTarget {
                    form: target,
                    written: target,
                });
                let pattern = PlainPattern::of(value);
                let question = || Ask(pattern, target, alignment);
                prop_assert_eq!(dispatch(question()), expected);
                prop_assert_eq!(dispatch_portable(question()), expected);
                if value.contains(&b'*') {
                    let short = Short(value, target, alignment);
                    prop_assert!(dispatch(short).is_none_or(|answer| answer == expected));
                    prop_assert_eq!(dispatch(short), dispatch_portable(short));
                }
            }
        }
    }
}
