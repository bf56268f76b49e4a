//! `FirstByteSet`: the first bytes of the lines that a scan looks for.

/// A set of bytes that ignores case and needs a single look-up. No two of its bytes may have the
/// same low half after 0x20 is set in both.
///
/// Setting 0x20 also folds bytes that are not letters (NUL becomes a space, 0x1A becomes `:`), so
/// the set contains a few more bytes than were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstByteSet {
    /// For each low half: the folded byte, or zero if there is none.
    pub(crate) folded: [u8; 16],
}

impl FirstByteSet {
    /// Makes the set of these ASCII bytes.
    ///
    /// # Panics
    ///
    /// Panics if two of them have the same low half, or one is not ASCII. In a `const` this is a
    /// compile error.
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

    /// Returns whether `byte` belongs to the set after folding.
    #[inline(always)]
    #[must_use]
    pub const fn contains(&self, byte: u8) -> bool {
        self.folded[(byte & 15) as usize] == byte | 0x20
    }
}
