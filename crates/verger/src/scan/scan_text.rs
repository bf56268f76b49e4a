//! Octets in which lines are sought, and windows on them.
//!
//! A body is scanned as two texts: all of it but the last octets, and those, copied to where other
//! octets follow them. So every line has a whole window, and no loop checks that it has.

/// The octets of a block, in which line ends are found at once.
pub(crate) const BLOCK: usize = 64;

/// Octets from the start of a line on that are looked at together.
pub(crate) const LINE_WINDOW: usize = 64;

/// Octets in which lines are sought, with at least a window behind every octet of its blocks.
pub(crate) struct ScanText<'x> {
    pub(crate) octets: &'x [u8],
    /// Where it starts in the body.
    pub(crate) base: usize,
    pub(crate) blocks: usize,
}

impl ScanText<'_> {
    /// So many octets from `start` on.
    #[inline]
    pub(crate) fn line<const OCTETS: usize>(&self, start: u32) -> Option<&[u8; OCTETS]> {
        let start = start as usize;
        self.octets.get(start..start + OCTETS)?.first_chunk()
    }

    /// Where in the body `start` is.
    #[inline]
    pub(crate) fn in_body(&self, start: u32) -> usize {
        self.base + start as usize
    }
}
