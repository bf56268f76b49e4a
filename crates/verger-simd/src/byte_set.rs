//! `ByteSet`: a set of bytes as tables for vector look-ups.

/// A set of ASCII bytes.
///
/// A byte belongs to the set if the entry of its low half and the entry of its high half share a
/// bit. ASCII has eight high halves, so each has a bit of its own and every set can be represented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteSet {
    /// For each low half: the bits of the high halves that members have with it.
    pub(crate) by_low_half: [u8; 16],
    /// For each high half: its bit.
    pub(crate) by_high_half: [u8; 16],
}

impl ByteSet {
    /// Makes the set of these ASCII bytes.
    ///
    /// # Panics
    ///
    /// Panics if any of them is not ASCII. In a `const` this is a compile error.
    #[must_use]
    pub const fn new(bytes: &[u8]) -> Self {
        let mut set = Self {
            by_low_half: [0; 16],
            by_high_half: [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0],
        };
        let mut at = 0;
        while at < bytes.len() {
            assert!(bytes[at].is_ascii(), "a set of bytes is made of ASCII");
            set.by_low_half[(bytes[at] & 15) as usize] |= 1 << (bytes[at] >> 4);
            at += 1;
        }
        set
    }

    /// Makes the set of the ASCII bytes in `bytes`.
    #[must_use]
    pub fn from_ascii_in(bytes: &[u8]) -> Self {
        let mut set = Self::new(b"");
        for byte in bytes.iter().filter(|byte| byte.is_ascii()) {
            set.by_low_half[usize::from(byte & 15)] |= 1 << (byte >> 4);
        }
        set
    }

    /// Returns the set of the other ASCII bytes.
    #[must_use]
    pub const fn ascii_complement(&self) -> Self {
        let mut complement = Self::new(b"");
        let mut low = 0;
        while low < 16 {
            complement.by_low_half[low] = !self.by_low_half[low];
            low += 1;
        }
        complement
    }

    /// Returns whether `byte` belongs to the set.
    #[inline(always)]
    #[must_use]
    pub const fn contains(&self, byte: u8) -> bool {
        self.by_low_half[(byte & 15) as usize] & self.by_high_half[(byte >> 4) as usize] != 0
    }
}
