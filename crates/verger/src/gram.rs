//! Grams, short runs of octets by which rules are listed, and pairs, by which they are rejected.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::path_pattern::PathPattern;

/// How many octets a gram has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GramLength {
    Two,
    Four,
}

/// Two or four octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gram {
    Two([u8; 2]),
    Four([u8; 4]),
}

impl Gram {
    pub(crate) fn length(self) -> GramLength {
        match self {
            Self::Two(_) => GramLength::Two,
            Self::Four(_) => GramLength::Four,
        }
    }

    fn octets(&self) -> &[u8] {
        match self {
            Self::Two(octets) => octets,
            Self::Four(octets) => octets,
        }
    }

    /// The octets as a number; a table holds grams of one length only.
    fn number(self) -> u32 {
        match self {
            Self::Two(octets) => u32::from(u16::from_le_bytes(octets)),
            Self::Four(octets) => u32::from_le_bytes(octets),
        }
    }
}

/// Spreads a gram's number over 32 bits; the upper ones are the best spread.
#[inline]
fn hash(number: u32) -> u32 {
    number.wrapping_mul(0x9E37_79B1)
}

/// How often the grams of a policy's rules occur in them, roughly: grams of one hash are counted
/// together.
pub(crate) struct GramCensus {
    counts: Vec<u16>,
}

impl GramCensus {
    pub(crate) fn of<'p>(patterns: impl ExactSizeIterator<Item = &'p PathPattern>) -> Self {
        let counters = (patterns.len() * 32).next_power_of_two().clamp(64, 1 << 16);
        let mut census = Self {
            counts: vec![0; counters],
        };
        for pattern in patterns {
            for gram in grams_of(pattern) {
                let at = census.counter(gram);
                census.counts[at] = census.counts[at].saturating_add(1);
            }
        }
        census
    }

    /// The gram of a pattern that the fewest patterns have; the longer where some are longer, and
    /// of equally rare ones that with the rarer octets.
    pub(crate) fn rarest_gram(&self, pattern: &PathPattern) -> Option<Gram> {
        grams_of(pattern).min_by_key(|gram| {
            let commonness: u32 = gram.octets().iter().map(|&octet| commonness(octet)).sum();
            (self.counts[self.counter(*gram)], commonness)
        })
    }

    fn counter(&self, gram: Gram) -> usize {
        (hash(gram.number()) >> 16) as usize & (self.counts.len() - 1)
    }
}

/// All grams of four octets, or of two where no fragment has four.
fn grams_of(pattern: &PathPattern) -> impl Iterator<Item = Gram> {
    let four = pattern
        .fragments_of_one_form()
        .flat_map(|fragment| fragment.windows(4))
        .filter_map(|window| Some(Gram::Four(*window.first_chunk()?)));
    let has_four = pattern
        .fragments_of_one_form()
        .any(|fragment| fragment.len() >= 4);
    let two = pattern
        .fragments_of_one_form()
        .filter(move |_| !has_four)
        .flat_map(|fragment| fragment.windows(2))
        .filter_map(|window| Some(Gram::Two(*window.first_chunk()?)));
    four.chain(two)
}

/// How common an octet is in targets, roughly.
fn commonness(octet: u8) -> u32 {
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

/// Values by gram, all grams of one length.
///
/// A set of bits is asked first, so that most places of a target cost a multiplication and a test;
/// what passes is sought in the sorted grams. Whoever chooses grams to pass the bits gains no more
/// than that search.
#[derive(Clone, Debug)]
pub(crate) struct GramTable<V> {
    bits: Box<[u64]>,
    shift: u32,
    /// Ascending.
    numbers: Box<[u32]>,
    /// By the position of the gram among `numbers`.
    values: Box<[V]>,
}

impl<V> Default for GramTable<V> {
    fn default() -> Self {
        Self {
            bits: Box::default(),
            shift: 0,
            numbers: Box::default(),
            values: Box::default(),
        }
    }
}

/// Bits for each gram of a table, so that about one in sixteen places of a target passes by chance.
const BITS_PER_GRAM: usize = 16;

/// Bits of a table at most: 2 MiB.
const BITS_MAX: usize = 1 << 24;

/// Places of a target whose grams are tested before the ones that passed are looked up.
const PLACES: usize = 32;

impl<V: Copy> GramTable<V> {
    pub(crate) fn new(entries: Vec<(Gram, V)>) -> Self {
        if entries.is_empty() {
            return Self::default();
        }
        let bits = (entries.len() * BITS_PER_GRAM)
            .next_power_of_two()
            .clamp(64, BITS_MAX);
        let shift = 32 - bits.trailing_zeros();
        let mut by_number: Vec<(u32, V)> = entries
            .into_iter()
            .map(|(gram, value)| (gram.number(), value))
            .collect();
        by_number.sort_unstable_by_key(|(number, _)| *number);
        let mut set = vec![0; bits / 64].into_boxed_slice();
        for (number, _) in &by_number {
            let bit = (hash(*number) >> shift) as usize;
            set[bit / 64] |= 1 << (bit % 64);
        }
        Self {
            bits: set,
            shift,
            numbers: by_number.iter().map(|(number, _)| *number).collect(),
            values: by_number.into_iter().map(|(_, value)| value).collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Hands out the value of every gram that occurs in `target`, once for each place.
    #[inline]
    pub(crate) fn for_each_in(&self, target: &[u8], length: GramLength, visit: impl FnMut(V)) {
        match length {
            GramLength::Two => {
                self.for_each_number(
                    target,
                    |&[a, b]| u32::from(u16::from_le_bytes([a, b])),
                    visit,
                );
            }
            GramLength::Four => {
                self.for_each_number(target, |octets| u32::from_le_bytes(*octets), visit);
            }
        }
    }

    #[inline]
    fn for_each_number<const LENGTH: usize>(
        &self,
        target: &[u8],
        number: impl Fn(&[u8; LENGTH]) -> u32,
        mut visit: impl FnMut(V),
    ) {
        let mut rest = target;
        while rest.len() >= LENGTH {
            let places = PLACES.min(rest.len() - LENGTH + 1);
            // No branch depends on what is found, so that nothing is predicted wrongly.
            let mut passed = 0_u32;
            let grams = rest[..places + LENGTH - 1].windows(LENGTH);
            for (place, octets) in grams.filter_map(<[u8]>::first_chunk).enumerate() {
                passed |= u32::from(self.may_hold(number(octets))) << place;
            }
            while passed != 0 {
                let place = passed.trailing_zeros() as usize;
                passed &= passed - 1;
                let octets = rest[place..].first_chunk();
                if let Some(value) = octets.and_then(|octets| self.get(number(octets))) {
                    visit(value);
                }
            }
            rest = &rest[places..];
        }
    }

    #[inline]
    fn may_hold(&self, number: u32) -> bool {
        let bit = hash(number) >> self.shift;
        let word = (bit / 64) as usize & (self.bits.len() - 1);
        (self.bits[word] >> (bit % 64)) & 1 == 1
    }

    fn get(&self, number: u32) -> Option<V> {
        let at = self.numbers.binary_search(&number).ok()?;
        Some(self.values[at])
    }
}

/// Which lists a question has visited: few as a rule, then kept in a row.
#[derive(Default)]
pub(crate) struct Visits {
    row: [u32; 16],
    in_row: usize,
    /// Beyond a row, sorted.
    more: Vec<u32>,
}

impl Visits {
    /// Whether the list of that number has not been visited; from now on it has.
    pub(crate) fn is_first(&mut self, number: u32) -> bool {
        if self.row[..self.in_row].contains(&number) {
            return false;
        }
        if let Some(free) = self.row.get_mut(self.in_row) {
            *free = number;
            self.in_row += 1;
            return true;
        }
        match self.more.binary_search(&number) {
            Ok(_) => false,
            Err(at) => {
                self.more.insert(at, number);
                true
            }
        }
    }
}

/// Two neighbouring octets, as a position in a set of 4,096 bits that some pairs share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair(u16);

impl Pair {
    /// The pair that every target has, so that needing it asks for nothing.
    pub(crate) const ANY: Self = Self(0);

    #[inline]
    pub(crate) fn of(left: u8, right: u8) -> Self {
        Self((u16::from(left & 63) << 6) | u16::from(right & 63))
    }
}

/// The pairs of a target, found when they are first asked for.
#[derive(Default)]
pub(crate) struct PairSet {
    made: Option<Pairs>,
}

/// The pairs of a target.
pub(crate) struct Pairs([u64; 64]);

impl PairSet {
    #[inline]
    pub(crate) fn of(&mut self, target: &[u8]) -> &Pairs {
        self.made.get_or_insert_with(|| {
            let mut bits = [0; 64];
            bits[0] = 1;
            for pair in target.windows(2) {
                let Pair(at) = Pair::of(pair[0], pair[1]);
                bits[usize::from(at >> 6)] |= 1_u64 << (at & 63);
            }
            Pairs(bits)
        })
    }
}

impl Pairs {
    #[inline]
    pub(crate) fn has_both(&self, [left, right]: [Pair; 2]) -> bool {
        let bit = |Pair(at): Pair| self.0[usize::from(at >> 6)] >> (at & 63);
        bit(left) & bit(right) & 1 == 1
    }
}
