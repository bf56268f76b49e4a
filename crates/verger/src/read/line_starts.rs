//! Line starts, gathered block by block before the lines are walked.
//!
//! *Idea.* The number of interesting lines in a block is unpredictable, so a loop over the lines of
//! each block mispredicts about one branch a block. Instead, positions are written four at a time,
//! whether there are that many or not, and the lines of many blocks are walked in one loop.
//!
//! *Invariant.* The first `count` positions are those of all bits pushed since the last `clear`, in
//! order.
//!
//! ```text
//! while starts != 0:
//!     write four: base + lowest bit of starts; clear that bit
//! count += number of bits
//! ```
//!
//! *Measured* (`bench/ablation.md`): two at a time cost 8 to 12 % on all files of J1c. Eight at a
//! time cost 6 % of the instructions on J1 `a_wordpress` and 9 % on `b_ecommerce`.

/// Number of positions that triggers a walk. One more block may be added after that. With 16, J1
/// `a_wordpress` and `b_ecommerce` take 2 % more instructions. With 64 they take 4 % more and 3 %
/// less.
const FULL: usize = 32;
const ROOM: usize = FULL + BLOCK;

/// Size of a block in bytes, and so the maximum number of lines that start in it.
const BLOCK: usize = 64;

const AT_ONCE: usize = 4;

pub(crate) struct LineStarts {
    places: [u32; ROOM],
    count: usize,
}

impl LineStarts {
    pub(crate) const MAX: usize = ROOM;

    pub(crate) fn none() -> Self {
        Self {
            places: [0; ROOM],
            count: 0,
        }
    }

    /// Adds a position for each bit of `starts`.
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

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.count >= FULL
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u32] {
        self.places.get(..self.count).unwrap_or_default()
    }

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
