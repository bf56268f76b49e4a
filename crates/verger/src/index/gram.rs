//! Grams: short runs of octets by which rules with wildcards are listed. A rule can only match
//! where all its fragments occur, so it is listed under one gram of them, the one that tells most.

use alloc::vec;
use alloc::vec::Vec;

use super::rule_pattern::RulePattern;

/// Two or four octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gram {
    Two([u8; 2]),
    Four([u8; 4]),
}

impl Gram {
    pub(crate) fn octets(&self) -> &[u8] {
        match self {
            Self::Two(octets) => octets,
            Self::Four(octets) => octets,
        }
    }

    /// The octets as a number; of grams of one length no two have the same.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Two([first, second]) => u32::from_le_bytes([first, second, 0, 0]),
            Self::Four(octets) => u32::from_le_bytes(octets),
        }
    }
}

/// Spreads a gram's number over 32 bits; the upper ones are the best spread.
#[inline]
pub(crate) fn hash(number: u32) -> u32 {
    number.wrapping_mul(0x9E37_79B1)
}

/// How often the grams of a policy's rules occur in them, roughly: grams of one hash are counted
/// together.
pub(crate) struct GramCensus {
    counts: Vec<u16>,
}

impl GramCensus {
    /// The census of `count` patterns.
    pub(crate) fn of<'p>(
        patterns: impl Iterator<Item = &'p RulePattern<'p>>,
        count: usize,
    ) -> Self {
        let counters = (count * 32).next_power_of_two();
        let mut census = Self {
            counts: vec![0; counters.clamp(64, 1 << 16)],
        };
        for pattern in patterns {
            for_each_gram(pattern, |gram| {
                let at = census.counter(gram);
                census.counts[at] = census.counts[at].saturating_add(1);
            });
        }
        census
    }

    /// The gram of a pattern that the fewest patterns have, and how many have it; the longer where
    /// some are longer, and of equally rare ones that with the rarer octets.
    pub(crate) fn rarest_gram(&self, pattern: &RulePattern<'_>) -> Option<(Gram, u16)> {
        let mut rarest = None;
        for_each_gram(pattern, |gram| {
            let count = self.counts[self.counter(gram)];
            let is_rarer = match rarest {
                None => true,
                Some((least, _, _)) if count != least => count < least,
                Some((_, common, _)) => commonness(gram) < common,
            };
            if is_rarer {
                rarest = Some((count, commonness(gram), gram));
            }
        });
        rarest.map(|(count, _, gram)| (gram, count))
    }

    fn counter(&self, gram: Gram) -> usize {
        (hash(gram.number()) >> 16) as usize & (self.counts.len() - 1)
    }
}

/// Hands out all grams of four octets, or of two where no fragment has four.
fn for_each_gram(pattern: &RulePattern<'_>, mut visit: impl FnMut(Gram)) {
    let mut has_four = false;
    pattern.for_each_run(|fragment| {
        for window in fragment.windows(4) {
            if let Some(octets) = window.first_chunk() {
                has_four = true;
                visit(Gram::Four(*octets));
            }
        }
    });
    if has_four {
        return;
    }
    pattern.for_each_run(|fragment| {
        for window in fragment.windows(2) {
            if let Some(octets) = window.first_chunk() {
                visit(Gram::Two(*octets));
            }
        }
    });
}

/// How common a gram is in targets, roughly. Its first octet counts twice: places are told by it.
fn commonness(gram: Gram) -> u32 {
    let octets = gram.octets();
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
