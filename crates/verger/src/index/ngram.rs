//! N-grams: short runs of octets by which rules with wildcards are listed. A rule can only match
//! where all its fragments occur, so it is listed under one n-gram of them, the rarest.

use alloc::vec;
use alloc::vec::Vec;

use super::rule_pattern::RulePattern;

/// Two or four octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ngram {
    Two([u8; 2]),
    Four([u8; 4]),
}

impl Ngram {
    pub(crate) fn octets(&self) -> &[u8] {
        match self {
            Self::Two(octets) => octets,
            Self::Four(octets) => octets,
        }
    }

    /// The octets as a number; of ngrams of one length no two have the same.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Two([first, second]) => u32::from_le_bytes([first, second, 0, 0]),
            Self::Four(octets) => u32::from_le_bytes(octets),
        }
    }
}

/// Spreads an n-gram's number over 32 bits; the upper ones are the best spread.
#[inline]
pub(crate) fn hash(number: u32) -> u32 {
    number.wrapping_mul(0x9E37_79B1)
}

/// How often the ngrams of a policy's rules occur in them, roughly: ngrams of one hash are counted
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

    /// The ngram of a pattern that the fewest patterns have, and how many have it; the longer where
    /// some are longer, and of equally rare ones that with the rarer octets.
    pub(crate) fn rarest_gram(&self, pattern: &RulePattern<'_>) -> Option<(Ngram, u16)> {
        let mut rarest = None;
        for_each_gram(pattern, |ngram| {
            let count = self.counts[self.counter(ngram)];
            let is_rarer = match rarest {
                None => true,
                Some((least, _, _)) if count != least => count < least,
                Some((_, common, _)) => commonness(ngram) < common,
            };
            if is_rarer {
                rarest = Some((count, commonness(ngram), ngram));
            }
        });
        rarest.map(|(count, _, ngram)| (ngram, count))
    }

    fn counter(&self, ngram: Ngram) -> usize {
        (hash(ngram.number()) >> 16) as usize & (self.counts.len() - 1)
    }
}

/// Hands out all ngrams of four octets, or of two where no fragment has four.
fn for_each_gram(pattern: &RulePattern<'_>, mut visit: impl FnMut(Ngram)) {
    let mut has_four = false;
    pattern.for_each_run(|fragment| {
        for window in fragment.windows(4) {
            if let Some(octets) = window.first_chunk() {
                has_four = true;
                visit(Ngram::Four(*octets));
            }
        }
    });
    if has_four {
        return;
    }
    pattern.for_each_run(|fragment| {
        for window in fragment.windows(2) {
            if let Some(octets) = window.first_chunk() {
                visit(Ngram::Two(*octets));
            }
        }
    });
}

/// How common an n-gram is in targets, roughly. Its first octet counts twice: places are told by it.
fn commonness(ngram: Ngram) -> u32 {
    let octets = ngram.octets();
    octets
        .iter()
        .chain(&octets[..1])
        .map(|&octet| of_octet(octet))
        .sum()
}

/// How common an octet is in targets, roughly.
fn of_octet(octet: u8) -> u32 {
    match octet {
        b'/' => 12,
        b'a'..=b'z' => 10,
        b'-' => 8,
        b'0'..=b'9' => 6,
        b'.' => 4,
        b'=' | b'?' | b'&' | b'_' | b'%' => 3,
        _ => 1,
    }
}
