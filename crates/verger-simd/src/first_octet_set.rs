//! `FirstOctetSet`: the first octets of the lines of interest.

/// A set of octets compared without regard to case, for a single look-up: no two of its octets have
/// the same low half after 0x20 is set in both.
///
/// Setting 0x20 also folds octets that are no letters (NUL counts as a space, 0x1A as `:`), so the set
/// contains a few octets more than were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstOctetSet {
    /// By low half: the folded octet, or zero where there is none.
    pub(crate) folded: [u8; 16],
}

impl FirstOctetSet {
    /// Makes the set of these ASCII octets.
    ///
    /// # Panics
    ///
    /// Where two of them have the same low half, or one is not ASCII; in a `const` that is a compile
    /// error.
    #[must_use]
    pub const fn of(octets: &[u8]) -> Self {
        let mut folded = [0; 16];
        let mut at = 0;
        while at < octets.len() {
            let octet = octets[at] | 0x20;
            let low = (octet & 15) as usize;
            assert!(octet.is_ascii(), "a line of interest starts with ASCII");
            assert!(folded[low] == 0, "two octets share a low half");
            folded[low] = octet;
            at += 1;
        }
        Self { folded }
    }

    /// Whether `octet` belongs to the set, folded.
    #[inline(always)]
    #[must_use]
    pub const fn contains(&self, octet: u8) -> bool {
        self.folded[(octet & 15) as usize] == octet | 0x20
    }
}
