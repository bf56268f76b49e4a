//! `NgramTable`: lists of rules by n-gram, and the search for the n-grams that occur in a target.
//!
//! *Idea.* Few positions of a target start an n-gram of the rules. So 32 positions are tested at
//! once, and only the positions that pass are looked up.
//!
//! *Invariant.* The list of every n-gram that occurs in the target is noted. Other lists may be
//! noted as well. That costs comparisons but does not change an answer.
//!
//! ```text
//! for each 32 positions of the target:
//!     passed = positions that may start an n-gram: by the halves of its bytes (few n-grams),
//!              by its first byte, or by a bit for its hash
//!     for each position that passed:
//!         nth = number of bits set before the bit of its hash
//!         if tags[nth] is that of the n-gram: note lists[nth]
//! ```
//!
//! N-grams whose hashes share a bit share a list.
//!
//! *Measured* (`bench/ablation.md`), in instructions: without halves of bytes, +42 % on J3
//! `j3_50_mix`. Without first bytes, +3 % on `j3_500_wild`. Without tags, +2 % there, and +12 to 24
//! % of the time on `j3_15000_wild`. Without n-grams of two bytes, +10 % on `j3_500_wild`.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use verger_simd::{ByteSet, Masks, RunSet};

use super::ngram::{Ngram, hash};
use super::visits::{List, Visits};
use crate::compare::byte_search::first_bytes;
use crate::span::offset;

/// All n-grams have `LENGTH` bytes, two or four.
#[derive(Clone, Debug, Default)]
pub(crate) struct NgramTable<const LENGTH: usize> {
    sieve: Sieve,
    bits: Box<[u64]>,
    shift: u32,
    /// Number of bits set before each word.
    set_before: Box<[u32]>,
    /// A tag of its n-gram, or [`ANY_TAG`] if it has several.
    tags: Box<[u8]>,
    /// One more entry ends the last list.
    starts: Box<[u32]>,
}

#[derive(Clone, Debug, Default)]
enum Sieve {
    #[default]
    Open,
    /// Useful if few n-grams start with a letter.
    FirstBytes(Box<ByteSet>),
    /// The halves of the bytes occur in an n-gram at that offset. For few n-grams.
    Runs(Box<RunSet>),
}

impl Sieve {
    fn heap_bytes(&self) -> usize {
        match self {
            Self::Open => 0,
            Self::FirstBytes(set) => size_of_val(&**set),
            Self::Runs(set) => size_of_val(&**set),
        }
    }

    /// `ngrams` must be sorted.
    fn of(ngrams: &[Ngram]) -> Self {
        if ngrams.len() <= RUNS_MAX {
            return Self::Runs(Box::new(RunSet::of(ngrams.iter().map(Ngram::bytes))));
        }
        let mut first: Vec<u8> = ngrams.iter().map(|ngram| ngram.bytes()[0]).collect();
        first.dedup();
        if first.is_ascii() {
            Self::FirstBytes(Box::new(ByteSet::new(&first)))
        } else {
            Self::Open
        }
    }
}

/// The tag of a list of several n-grams.
const ANY_TAG: u8 = 0;

/// Returns the upper bits of another hash, never zero.
#[inline]
fn tag_of(number: u32) -> u8 {
    (number.wrapping_mul(0x85EB_CA77) >> 24) as u8 | 1
}

/// With 16, about one in sixteen positions of a target passes by chance. With 4, J3 takes 6 % more
/// instructions on `j3_500_wild`.
const BITS_PER_GRAM: usize = 16;

/// 2 MiB.
const BITS_MAX: usize = 1 << 24;

/// With more n-grams, nearly every position would pass. 512 saves 8 % of the instructions on J3
/// `j3_500_wild`, but no time.
const RUNS_MAX: usize = 512;

const PLACES: usize = 32;

const CHUNK: usize = PLACES + 3;

impl<const LENGTH: usize> NgramTable<LENGTH> {
    pub(crate) fn heap_bytes(&self) -> usize {
        let marks = size_of_val(&*self.bits) + size_of_val(&*self.set_before);
        let lists = size_of_val(&*self.tags) + size_of_val(&*self.starts);
        self.sieve.heap_bytes() + marks + lists
    }

    /// `list` drains the rules of each list and appends them to the rules listed so far.
    pub(crate) fn new<R: Copy>(
        keyed: &[(Ngram, R)],
        listed: &mut Vec<R>,
        mut list: impl FnMut(&mut Vec<R>, &mut Vec<R>) -> List,
    ) -> Self {
        if keyed.is_empty() {
            return Self::default();
        }
        let numbers = keyed.iter().map(|(ngram, _)| ngram.number().swap_bytes());
        let mut order: Vec<(u32, u32)> = numbers.zip(0..).collect();
        order.sort_unstable();
        let ngram = |&(_, at): &(u32, u32)| keyed[at as usize].0;
        let of_ngrams = order.chunk_by(|(left, _), (right, _)| left == right);
        let ngrams: Vec<Ngram> = of_ngrams.map(|of_ngram| ngram(&of_ngram[0])).collect();
        let mut table = Self::without_lists(&ngrams);
        for place in &mut order {
            place.0 = table.bit_of(ngram(place));
        }
        order.sort_unstable();
        let mut of_bit = Vec::new();
        let (mut tags, mut starts) = (Vec::new(), Vec::new());
        tags.reserve_exact(ngrams.len());
        starts.reserve_exact(ngrams.len() + 1);
        for places in order.chunk_by(|(left, _), (right, _)| left == right) {
            let bit = places[0].0;
            table.bits[bit as usize / 64] |= 1 << (bit % 64);
            let first = ngram(&places[0]);
            let is_same = places.iter().all(|place| ngram(place) == first);
            tags.push(if is_same {
                tag_of(first.number())
            } else {
                ANY_TAG
            });
            of_bit.extend(places.iter().map(|&(_, at)| keyed[at as usize].1));
            starts.push(list(&mut of_bit, listed).start);
            of_bit.clear();
        }
        starts.push(offset(listed.len()));
        table.set_before = set_before(&table.bits);
        table.tags = tags.into_boxed_slice();
        table.starts = starts.into_boxed_slice();
        table
    }

    /// `ngrams` must be sorted.
    fn without_lists(ngrams: &[Ngram]) -> Self {
        let bits = (ngrams.len() * BITS_PER_GRAM)
            .next_power_of_two()
            .clamp(64, BITS_MAX);
        Self {
            sieve: Sieve::of(ngrams),
            bits: vec![0; bits / 64].into_boxed_slice(),
            shift: 32 - bits.trailing_zeros(),
            ..Self::default()
        }
    }

    fn bit_of(&self, ngram: Ngram) -> u32 {
        hash(ngram.number()) >> self.shift
    }

    #[inline(always)]
    pub(crate) fn visit<M: Masks>(&self, masks: M, target: &[u8], visits: &mut Visits) {
        if self.bits.is_empty() {
            return;
        }
        let mut at = 0;
        if let Some(last) = target.len().checked_sub(CHUNK) {
            loop {
                // Positions examined before are masked out.
                let start = at.min(last);
                if let Some(chunk) = target[start..].first_chunk() {
                    let places = u32::MAX.checked_shl(offset(at - start)).unwrap_or(0);
                    self.visit_chunk(masks, chunk, places, visits);
                }
                at = start + PLACES;
                if start == last {
                    break;
                }
            }
        } else {
            let mut filled = [0; CHUNK];
            filled[..target.len()].copy_from_slice(target);
            let places = (1_u64 << (target.len() + 1).saturating_sub(LENGTH)) - 1;
            let places = u32::try_from(places).unwrap_or(u32::MAX);
            self.visit_chunk(masks, &filled, places, visits);
            at = PLACES.min(target.len());
        }
        // An n-gram of two bytes may start after the last chunk's positions.
        for bytes in target[at..].windows(LENGTH).filter_map(<[u8]>::first_chunk) {
            if let Some(list) = self.get(bytes) {
                visits.note(list);
            }
        }
    }

    #[inline(always)]
    fn visit_chunk<M: Masks>(
        &self,
        masks: M,
        chunk: &[u8; CHUNK],
        places: u32,
        visits: &mut Visits,
    ) {
        let mut passed = match &self.sieve {
            Sieve::Runs(runs) => places & masks.may_start(chunk, runs),
            Sieve::FirstBytes(first) => {
                let block = chunk
                    .first_chunk()
                    .map_or(0, |block| masks.members(block, first));
                places & block
            }
            Sieve::Open => places & self.passed(chunk),
        };
        while passed != 0 {
            let place = passed.trailing_zeros() as usize;
            passed &= passed - 1;
            let bytes = chunk[place..].first_chunk();
            if let Some(list) = bytes.and_then(|bytes| self.get(bytes)) {
                visits.note(list);
            }
        }
    }

    /// Has no data-dependent branch, so nothing is mispredicted.
    #[inline]
    fn passed(&self, chunk: &[u8; CHUNK]) -> u32 {
        let mut passed = 0;
        for place in 0..PLACES {
            if let Some(bytes) = chunk[place..].first_chunk() {
                let bit = hash(number::<LENGTH>(bytes)) >> self.shift;
                let word = (bit / 64) as usize & (self.bits.len() - 1);
                passed |= u32::from((self.bits[word] >> (bit % 64)) & 1 == 1) << place;
            }
        }
        passed
    }

    #[inline]
    fn get(&self, bytes: &[u8; LENGTH]) -> Option<List> {
        let number = number(bytes);
        let bit = hash(number) >> self.shift;
        let word = *self.bits.get(bit as usize / 64)?;
        let after = word >> (bit % 64);
        if after & 1 == 0 {
            return None;
        }
        let before = word & !(u64::MAX << (bit % 64));
        let nth = (self.set_before[bit as usize / 64] + before.count_ones()) as usize;
        let tag = *self.tags.get(nth)?;
        if tag != tag_of(number) && tag != ANY_TAG {
            return None;
        }
        Some(List {
            start: self.starts[nth],
            end: self.starts[nth + 1],
        })
    }
}

#[inline]
fn number<const LENGTH: usize>(bytes: &[u8; LENGTH]) -> u32 {
    u32::from_le_bytes(first_bytes(bytes))
}

fn set_before(bits: &[u64]) -> Box<[u32]> {
    let mut sum = 0;
    let before = bits.iter().map(|word| {
        let before = sum;
        sum += word.count_ones();
        before
    });
    before.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use proptest::prelude::*;
    use verger_simd::{Kernel, dispatch, dispatch_portable};

    #[derive(Clone, Copy)]
    struct Visit<'q, const LENGTH: usize>(&'q NgramTable<LENGTH>, &'q [u8]);

    impl<const LENGTH: usize> Kernel for Visit<'_, LENGTH> {
        type Output = Visits;

        fn run<M: Masks>(self, masks: M) -> Visits {
            let mut visits = Visits::default();
            self.0.visit(masks, self.1, &mut visits);
            visits
        }
    }

    /// Each n-gram lists its own bytes.
    fn visited<const LENGTH: usize>(
        ngrams: &BTreeSet<[u8; LENGTH]>,
        ngram: fn([u8; LENGTH]) -> Ngram,
        target: &[u8],
    ) -> [BTreeSet<[u8; LENGTH]>; 2] {
        let mut listed = Vec::new();
        let keyed: Vec<_> = ngrams.iter().map(|&bytes| (ngram(bytes), bytes)).collect();
        let table = NgramTable::<LENGTH>::new(&keyed, &mut listed, |of_list, listed| {
            let start = offset(listed.len());
            listed.append(of_list);
            let end = offset(listed.len());
            List { start, end }
        });
        let question = Visit(&table, target);
        [dispatch(question), dispatch_portable(question)].map(|visits| {
            let lists = visits.lists();
            let lists = lists.flat_map(|list| &listed[list.start as usize..list.end as usize]);
            lists.copied().collect()
        })
    }

    fn occurring<const LENGTH: usize>(
        ngrams: &BTreeSet<[u8; LENGTH]>,
        target: &[u8],
    ) -> BTreeSet<[u8; LENGTH]> {
        let bytes = target.windows(LENGTH).filter_map(<[u8]>::first_chunk);
        bytes
            .filter(|bytes| ngrams.contains(*bytes))
            .copied()
            .collect()
    }

    fn ngrams<const LENGTH: usize>(text: &[u8]) -> BTreeSet<[u8; LENGTH]> {
        text.as_chunks().0.iter().copied().collect()
    }

    proptest! {
        #[test]
        fn lists_of_grams_that_occur_are_visited(
            few in prop::collection::vec(b'a'..b'h', 0..40),
            many in prop::collection::vec(any::<u8>(), 0..2000),
            target in prop::collection::vec(b'a'..b'h', 0..110),
            places in prop::collection::vec(0_usize..100, 0..8),
        ) {
            for text in [few.clone(), [few, many].concat()] {
                let (two, four) = (ngrams::<2>(&text), ngrams::<4>(&text));
                let mut target = target.clone();
                for (place, bytes) in places.iter().zip(&four) {
                    let place = *place.min(&target.len());
                    target.splice(place..place, *bytes);
                }
                for visited in visited(&two, Ngram::Two, &target) {
                    prop_assert!(visited.is_superset(&occurring(&two, &target)));
                }
                for visited in visited(&four, Ngram::Four, &target) {
                    let occurring = occurring(&four, &target);
                    prop_assert!(visited.is_superset(&occurring));
                    prop_assert!(visited.len() <= occurring.len() + 8);
                }
            }
        }
    }
}
