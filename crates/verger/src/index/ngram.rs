//! N-grams: short runs of bytes by which rules with wildcards are listed. A rule can only match
//! where all its fragments occur, so it is listed under one n-gram of them, the rarest.

use alloc::vec;
use alloc::vec::Vec;

use super::rule_pattern::RulePattern;

/// Two or four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ngram {
    Two([u8; 2]),
    Four([u8; 4]),
}

impl Ngram {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Two(bytes) => bytes,
            Self::Four(bytes) => bytes,
        }
    }

    /// The bytes as a number; of n-grams of one length no two have the same.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Two([first, second]) => u32::from_le_bytes([first, second, 0, 0]),
            Self::Four(bytes) => u32::from_le_bytes(bytes),
        }
    }
}

/// Spreads an n-gram's number over 32 bits; the upper ones are the best spread.
#[inline]
pub(crate) fn hash(number: u32) -> u32 {
    number.wrapping_mul(0x9E37_79B1)
}

/// How often the n-grams of a policy's rules occur in them, roughly: n-grams of one hash are counted
/// together.
pub(crate) struct NgramCounts {
    counts: Vec<u16>,
}

impl NgramCounts {
    /// The counts of `count` patterns.
    pub(crate) fn of<'p>(
        patterns: impl Iterator<Item = &'p RulePattern<'p>>,
        count: usize,
    ) -> Self {
        let counters = (count * 32).next_power_of_two();
        let mut counts = Self {
            counts: vec![0; counters.clamp(64, 1 << 16)],
        };
        for pattern in patterns {
            for_each_gram(pattern, |ngram| {
                let at = counts.counter(ngram);
                counts.counts[at] = counts.counts[at].saturating_add(1);
            });
        }
        counts
    }

    /// The n-gram of a pattern that the fewest patterns have, and how many have it; the longer ones
    /// where some are longer, and of equally rare ones the first.
    pub(crate) fn rarest_gram(&self, pattern: &RulePattern<'_>) -> Option<(Ngram, u16)> {
        let mut rarest: Option<(Ngram, u16)> = None;
        for_each_gram(pattern, |ngram| {
            let count = self.counts[self.counter(ngram)];
            if rarest.is_none_or(|(_, least)| count < least) {
                rarest = Some((ngram, count));
            }
        });
        rarest
    }

    fn counter(&self, ngram: Ngram) -> usize {
        (hash(ngram.number()) >> 16) as usize & (self.counts.len() - 1)
    }
}

/// Hands out all n-grams of four bytes, or of two where no fragment has four.
fn for_each_gram(pattern: &RulePattern<'_>, mut visit: impl FnMut(Ngram)) {
    let mut has_four = false;
    pattern.for_each_run(|fragment| {
        for bytes in fragment.windows(4).filter_map(<[u8]>::first_chunk) {
            has_four = true;
            visit(Ngram::Four(*bytes));
        }
    });
    if has_four {
        return;
    }
    pattern.for_each_run(|fragment| {
        for bytes in fragment.windows(2).filter_map(<[u8]>::first_chunk) {
            visit(Ngram::Two(*bytes));
        }
    });
}
