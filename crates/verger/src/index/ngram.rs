//! N-grams: short runs of bytes by which rules with wildcards are listed. A rule can only match if
//! all its fragments occur in the target, so it is listed under the rarest n-gram in them.

use alloc::vec;
use alloc::vec::Vec;

use super::rule_pattern::RulePattern;

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

    /// Returns a number that is unique among n-grams of the same length.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Two([first, second]) => u32::from_le_bytes([first, second, 0, 0]),
            Self::Four(bytes) => u32::from_le_bytes(bytes),
        }
    }
}

/// The upper bits are distributed best.
#[inline]
pub(crate) fn hash(number: u32) -> u32 {
    number.wrapping_mul(0x9E37_79B1)
}

/// Approximate: n-grams with equal hashes share a counter.
pub(crate) struct NgramCounts {
    counts: Vec<u16>,
}

impl NgramCounts {
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

    /// Returns the n-gram and the number of patterns that it occurs in. Longer n-grams are
    /// preferred, then the first one.
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

/// Visits n-grams of four bytes, or of two if no fragment has four.
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
