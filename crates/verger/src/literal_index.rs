//! `LiteralIndex`: which of many literal texts are prefixes of a target, and the best of them.
//!
//! The texts stand in a sorted array. The last one that is not greater than the target shares a
//! longer prefix with it than any other text that is a prefix of the target, so all of those are
//! found from it by links to the longest text that is a prefix of it, and from there on. Each
//! text keeps the best rank of itself and all it links to, so that one step decides.
//!
//! The sort key is the eight octets behind the slash with which every text starts; only what
//! follows them is kept as text. A question is a binary search over the keys, one comparison of
//! text, and mostly no step at all: about 110 ns for 15,000 texts and 20 ns for 50, with the target
//! prepared.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::span::offset;

/// Where a rule stands in the order of precedence of its policy; 0 takes precedence over all.
pub(crate) type Rank = u32;

/// A rank behind every rule's.
pub(crate) const NO_RANK: Rank = Rank::MAX;

/// No text.
const NONE: u32 = u32::MAX;

/// The octets that a key holds.
const KEY_OCTETS: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Text {
    /// Where what follows the key's octets starts in `rest`.
    rest: u32,
    /// Octets of the whole text.
    length: u32,
    /// The longest text that is a proper prefix of this one.
    parent: u32,
    /// The best rank of the rules that match where this text is a prefix, or one it links to.
    rank: Rank,
}

/// Sorted texts, each of which starts with a slash.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiteralIndex {
    keys: Box<[u64]>,
    texts: Box<[Text]>,
    rest: Box<[u8]>,
}

/// A text of the index that is a prefix of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prefix {
    at: u32,
}

impl Prefix {
    /// The position of the text among those that the index was built from.
    pub(crate) fn position(self) -> usize {
        self.at as usize
    }
}

impl LiteralIndex {
    /// Builds the index of texts in ascending order without repetitions, each with the best rank
    /// of the rules that match wherever it is a prefix, or [`NO_RANK`].
    pub(crate) fn new<'t>(sorted: impl ExactSizeIterator<Item = (&'t [u8], Rank)>) -> Self {
        let mut keys = Vec::with_capacity(sorted.len());
        let mut texts: Vec<Text> = Vec::with_capacity(sorted.len());
        let mut rest = Vec::new();
        // The chain of texts each of which is a prefix of the next one.
        let mut chain: Vec<(u32, &'t [u8])> = Vec::new();
        for (at, (text, rank)) in sorted.enumerate() {
            while chain
                .last()
                .is_some_and(|(_, last)| !text.starts_with(last))
            {
                chain.pop();
            }
            let parent = chain.last().map_or(NONE, |&(parent, _)| parent);
            let of_parent = texts.get(parent as usize).map_or(NO_RANK, |text| text.rank);
            texts.push(Text {
                rest: offset(rest.len()),
                length: offset(text.len()),
                parent,
                rank: rank.min(of_parent),
            });
            keys.push(key_of(text));
            rest.extend_from_slice(rest_of(text));
            chain.push((offset(at), text));
        }
        Self {
            keys: keys.into_boxed_slice(),
            texts: texts.into_boxed_slice(),
            rest: rest.into_boxed_slice(),
        }
    }

    /// The longest text that is a prefix of `target`, which starts with a slash.
    pub(crate) fn longest_prefix(&self, target: &[u8]) -> Option<Prefix> {
        let last = self.last_not_greater(target)?;
        let common = self.common_octets(last, target);
        let mut at = offset(last);
        while let Some(text) = self.texts.get(at as usize) {
            if text.length as usize <= common {
                return Some(Prefix { at });
            }
            at = text.parent;
        }
        None
    }

    /// The next shorter text that is a prefix of the target.
    pub(crate) fn next_shorter(&self, prefix: Prefix) -> Option<Prefix> {
        let at = self.texts[prefix.position()].parent;
        (at != NONE).then_some(Prefix { at })
    }

    /// The best rank of the rules that match because this text or a shorter one is a prefix.
    pub(crate) fn rank(&self, prefix: Prefix) -> Rank {
        self.texts[prefix.position()].rank
    }

    /// Octets of the text.
    pub(crate) fn length(&self, prefix: Prefix) -> usize {
        self.texts[prefix.position()].length as usize
    }

    /// The last text that is not greater than `target`.
    fn last_not_greater(&self, target: &[u8]) -> Option<usize> {
        let key = key_of(target);
        let after = self.keys.partition_point(|&of_text| of_text <= key);
        let last = after.checked_sub(1)?;
        if self.keys[last] != key || self.is_not_greater(last, target) {
            return Some(last);
        }
        // Several texts share the key, and the last of them is greater.
        let first = self.keys[..last].partition_point(|&of_text| of_text < key);
        let (mut low, mut high) = (first, last);
        while low < high {
            let middle = low.midpoint(high);
            if self.is_not_greater(middle, target) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.checked_sub(1)
    }

    /// Whether a text with the target's own key is not greater than the target.
    fn is_not_greater(&self, at: usize, target: &[u8]) -> bool {
        let length = self.texts[at].length as usize;
        if length.min(target.len()) <= KEY_OCTETS {
            return length <= target.len();
        }
        self.rest_at(at) <= rest_of(target)
    }

    /// How many octets a text and the target have in common at their start.
    fn common_octets(&self, at: usize, target: &[u8]) -> usize {
        let shorter = target.len().min(self.texts[at].length as usize);
        let differing = self.keys[at] ^ key_of(target);
        if differing != 0 {
            let common = 1 + differing.leading_zeros() as usize / 8;
            return common.min(shorter);
        }
        let in_rest = common_octets(self.rest_at(at), rest_of(target));
        (1 + KEY_OCTETS + in_rest).min(shorter)
    }

    fn rest_at(&self, at: usize) -> &[u8] {
        let text = &self.texts[at];
        let length = (text.length as usize).saturating_sub(1 + KEY_OCTETS);
        let start = text.rest as usize;
        &self.rest[start..start + length]
    }
}

/// The octets behind the slash as a number that sorts as they do; zero where there are none.
#[inline]
fn key_of(text: &[u8]) -> u64 {
    if let Some(octets) = text.get(1..=KEY_OCTETS).and_then(<[u8]>::first_chunk) {
        return u64::from_be_bytes(*octets);
    }
    let mut octets = [0; KEY_OCTETS];
    let behind_slash = text.get(1..).unwrap_or_default();
    octets[..behind_slash.len()].copy_from_slice(behind_slash);
    u64::from_be_bytes(octets)
}

/// What follows the octets of the key.
fn rest_of(text: &[u8]) -> &[u8] {
    text.get(1 + KEY_OCTETS..).unwrap_or_default()
}

/// How many octets two texts have in common at their start, eight compared at a time.
#[inline]
fn common_octets(left: &[u8], right: &[u8]) -> usize {
    let (left_words, _) = left.as_chunks::<8>();
    let (right_words, _) = right.as_chunks::<8>();
    for (nth, (left, right)) in left_words.iter().zip(right_words).enumerate() {
        let differing = u64::from_le_bytes(*left) ^ u64::from_le_bytes(*right);
        if differing != 0 {
            return nth * 8 + differing.trailing_zeros() as usize / 8;
        }
    }
    let compared = 8 * left_words.len().min(right_words.len());
    let of_rest = left[compared..].iter().zip(&right[compared..]);
    compared + of_rest.take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use proptest::prelude::*;

    /// All prefixes of `target`, the longest first, as a walk over all texts finds them.
    fn prefixes<'t>(texts: &[&'t [u8]], target: &[u8]) -> Vec<&'t [u8]> {
        let mut found: Vec<_> = texts
            .iter()
            .copied()
            .filter(|text| target.starts_with(text))
            .collect();
        found.sort_by_key(|text| core::cmp::Reverse(text.len()));
        found
    }

    proptest! {
        #[test]
        fn every_prefix_is_found_from_the_longest(
            mut texts in prop::collection::vec("/[ab\u{0}]{0,12}", 0..40),
            target in "/[ab\u{0}]{0,14}",
        ) {
            texts.sort();
            texts.dedup();
            let texts: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
            let index = LiteralIndex::new(texts.iter().map(|text| (*text, offset(text.len()))));
            let mut found = Vec::new();
            let mut next = index.longest_prefix(target.as_bytes());
            while let Some(prefix) = next {
                found.push(texts[prefix.position()]);
                prop_assert_eq!(index.length(prefix), texts[prefix.position()].len());
                next = index.next_shorter(prefix);
            }
            let expected = prefixes(&texts, target.as_bytes());
            prop_assert_eq!(&found, &expected);
            // Ranks are lengths here, so the shortest prefix has the best.
            if let Some(longest) = index.longest_prefix(target.as_bytes()) {
                let best = expected.iter().map(|text| offset(text.len())).min();
                prop_assert_eq!(Some(index.rank(longest)), best);
            }
        }
    }
}
