//! `FirstByteSet`: the first bytes of the lines of interest.

/// A set of bytes compared without regard to case, for a single look-up: no two of its bytes have
/// the same low half after 0x20 is set in both.
///
/// Setting 0x20 also folds bytes that are no letters (NUL counts as a space, 0x1A as `:`), so the set
/// contains a few bytes more than were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstByteSet {
    /// By low half: the folded byte, or zero where there is none.
    pub(crate) folded: [u8; 16],
}

impl FirstByteSet {
    /// Makes the set of these ASCII bytes.
    ///
    /// # Panics
    ///
    /// Where two of them have the same low half, or one is not ASCII; in a `const` that is a compile
    /// error.
    #[must_use]
    pub const fn new(bytes: &[u8]) -> Self {
        let mut folded = [0; 16];
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at] | 0x20;
            let low = (byte & 15) as usize;
            assert!(byte.is_ascii(), "a line of interest starts with ASCII");
            assert!(folded[low] == 0, "two bytes share a low half");
            folded[low] = byte;
            at += 1;
        }
        Self { folded }
    }

    /// Whether `byte` belongs to the set, folded.
    #[inline(always)]
    #[must_use]
    pub const fn contains(&self, byte: u8) -> bool {
        self.folded[(byte & 15) as usize] == byte | 0x20
    }
}
