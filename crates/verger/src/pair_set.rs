//! The pairs of neighbouring octets of a target: a rule that needs another one does not match.

/// Two neighbouring octets, as a position in a set of 4,096 bits that some pairs share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair(u16);

impl Pair {
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
