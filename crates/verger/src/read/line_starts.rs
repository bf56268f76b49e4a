//! The places where lines start, gathered block by block before they are walked.
//!
//! *Idea.* How many lines of interest start in a block is unpredictable, so that a loop over the
//! lines of each block ends with a mispredicted branch about once a block. Here places are written
//! four at a time, whether they are there or not, and the lines of many blocks are walked in one loop.
//!
//! *Invariant.* The first `count` places are those of all bits pushed since the last `clear`, in order.
//!
//! ```text
//! while starts != 0:
//!     write four: base + lowest bit of starts; clear that bit
//! count += number of bits
//! ```
//!
//! *Measured* (`bench/ablation.md`). Two at a time cost 8 to 12 % on all files of J1c, eight 6 % of the
//! instructions on J1 `a_wordpress` and 9 % on `b_ecommerce`.

/// So many places call for a walk; a block may add as many again. With 16, J1 `a_wordpress` and
/// `b_ecommerce` take 2 % more instructions; with 64, 4 % more and 3 % less.
const FULL: usize = 32;
const ROOM: usize = FULL + BLOCK;

/// Bytes of a block, so that at most as many lines start in it.
const BLOCK: usize = 64;

/// Places written for each block.
const AT_ONCE: usize = 4;

/// Where lines start.
pub(crate) struct LineStarts {
    places: [u32; ROOM],
    count: usize,
}

impl LineStarts {
    /// How many there are at most.
    pub(crate) const MAX: usize = ROOM;

    pub(crate) fn none() -> Self {
        Self {
            places: [0; ROOM],
            count: 0,
        }
    }

    /// Adds the places of a block that starts at `base`: one for each bit of `starts`.
    #[inline(always)]
    pub(crate) fn push(&mut self, base: u32, starts: u64) {
        let free = self.places.get_mut(self.count..);
        let Some(free) = free.and_then(<[u32]>::first_chunk_mut::<BLOCK>) else {
            return;
        };
        self.count += starts.count_ones() as usize;
        let mut rest = starts;
        let (groups, _) = free.as_chunks_mut::<AT_ONCE>();
        for places in groups {
            for place in places {
                *place = base.wrapping_add(rest.trailing_zeros());
                rest &= rest.wrapping_sub(1);
            }
            if rest == 0 {
                return;
            }
        }
    }

    /// Whether it must be walked and emptied before the next block.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.count >= FULL
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u32] {
        self.places.get(..self.count).unwrap_or_default()
    }

    /// Puts the `nth` line elsewhere.
    pub(crate) fn replace(&mut self, nth: usize, start: u32) {
        if let Some(place) = self.places.get_mut(nth) {
            *place = start;
        }
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_bit_has_its_place(blocks in prop::collection::vec(prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), (0_u32..64).prop_map(|bit| 1 << bit)], 0..40)) {
            let mut row = LineStarts::none();
            let mut expected: Vec<u32> = Vec::new();
            for (nth, block) in (0_u32..).zip(blocks) {
                if row.is_full() {
                    row.clear();
                    expected.clear();
                }
                row.push(nth * 64, block);
                expected.extend((0..64).filter(|bit| block >> bit & 1 == 1).map(|bit| nth * 64 + bit));
                prop_assert_eq!(row.as_slice(), &expected[..]);
            }
        }
    }
}
