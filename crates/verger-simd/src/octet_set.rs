//! `OctetSet`: a set of octets as tables for vector look-ups.

/// A set of ASCII octets.
///
/// An octet belongs to it where the entry of its low half and the entry of its high half share a bit.
/// ASCII has eight high halves, so each has a bit of its own and every set can be represented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OctetSet {
    /// By low half: the bits of the high halves of members with it.
    pub(crate) by_low_half: [u8; 16],
    /// By high half: its bit.
    pub(crate) by_high_half: [u8; 16],
}

impl OctetSet {
    /// Makes the set of these ASCII octets.
    ///
    /// # Panics
    ///
    /// Where one of them is not ASCII; in a `const` that is a compile error.
    #[must_use]
    pub const fn of(octets: &[u8]) -> Self {
        let mut set = Self {
            by_low_half: [0; 16],
            by_high_half: [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0],
        };
        let mut at = 0;
        while at < octets.len() {
            assert!(octets[at].is_ascii(), "a set of octets is made of ASCII");
            set.by_low_half[(octets[at] & 15) as usize] |= 1 << (octets[at] >> 4);
            at += 1;
        }
        set
    }

    /// Makes the set of the ASCII octets among these.
    #[must_use]
    pub fn of_ascii_in(octets: &[u8]) -> Self {
        let mut set = Self::of(b"");
        for octet in octets.iter().filter(|octet| octet.is_ascii()) {
            set.by_low_half[usize::from(octet & 15)] |= 1 << (octet >> 4);
        }
        set
    }

    /// Returns the set of the ASCII octets that do not belong to this one.
    #[must_use]
    pub const fn ascii_complement(&self) -> Self {
        let mut complement = Self::of(b"");
        let mut low = 0;
        while low < 16 {
            complement.by_low_half[low] = !self.by_low_half[low];
            low += 1;
        }
        complement
    }

    /// Whether `octet` belongs to the set.
    #[inline(always)]
    #[must_use]
    pub const fn contains(&self, octet: u8) -> bool {
        self.by_low_half[(octet & 15) as usize] & self.by_high_half[(octet >> 4) as usize] != 0
    }
}
