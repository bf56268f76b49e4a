//! The set of the triples of bytes in a target. A rule that needs another triple cannot match.

/// Three bytes, hashed to one of 4,096 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Triple(u16);

impl Triple {
    /// Every target has it, so needing it rules out nothing.
    pub(crate) const ANY: Self = Self(0);

    #[inline]
    pub(crate) fn of(bytes: [u8; 3]) -> Self {
        let [first, second, third] = bytes.map(u32::from);
        let number = first | (second << 8) | (third << 16);
        Self((number.wrapping_mul(0x9E37_79B1) >> 20) as u16)
    }
}

/// Computed on first use.
#[derive(Default)]
pub(crate) struct TripleSet {
    made: Option<Triples>,
}

pub(crate) struct Triples([u64; 64]);

impl TripleSet {
    #[inline]
    pub(crate) fn of(&mut self, target: &[u8]) -> &Triples {
        self.made.get_or_insert_with(|| Triples::of(target))
    }
}

impl Triples {
    fn of(target: &[u8]) -> Self {
        let mut bits = [0; 64];
        bits[0] = 1;
        for bytes in target.windows(3).filter_map(<[u8]>::first_chunk) {
            let Triple(at) = Triple::of(*bytes);
            bits[usize::from(at >> 6) & 63] |= 1_u64 << (at & 63);
        }
        Self(bits)
    }

    #[inline]
    pub(crate) fn has_both(&self, [left, right]: [Triple; 2]) -> bool {
        let bit = |Triple(at): Triple| self.0[usize::from(at >> 6) & 63] >> (at & 63);
        bit(left) & bit(right) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_target_has_its_triples(target in prop::collection::vec(any::<u8>(), 0..100)) {
            let mut set = TripleSet::default();
            let triples = set.of(&target);
            for bytes in target.windows(3).filter_map(<[u8]>::first_chunk) {
                prop_assert!(triples.has_both([Triple::ANY, Triple::of(*bytes)]));
            }
        }
    }

    #[test]
    fn a_triple_that_a_target_lacks_rules_a_rule_out() {
        let mut set = TripleSet::default();
        let triples = set.of(b"/category/shoes?sort=price");
        let needs = |bytes: &[u8; 3]| triples.has_both([Triple::of(*b"sho"), Triple::of(*bytes)]);
        assert!(needs(b"?so"));
        assert!(!needs(b"PHP"));
    }
}
