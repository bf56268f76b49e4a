//! `allocated_octets`: what something of a size takes on the heap.

/// What the allocator adds to each piece.
const PIECE_OCTETS: usize = 8;

/// Pieces begin at multiples of so many octets.
const ALIGNMENT_OCTETS: usize = 16;

/// No piece takes less.
const PIECE_OCTETS_MIN: usize = 32;

/// How many octets of memory an allocation of that many takes, with its header and what rounding
/// adds, as glibc has them on 64-bit machines; others differ little. Nothing takes nothing.
#[must_use]
pub const fn allocated_octets(octets: usize) -> usize {
    if octets == 0 {
        return 0;
    }
    let padded = octets.saturating_add(PIECE_OCTETS + ALIGNMENT_OCTETS - 1);
    let taken = padded - padded % ALIGNMENT_OCTETS;
    if taken < PIECE_OCTETS_MIN {
        PIECE_OCTETS_MIN
    } else {
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_rounded_up_after_its_header() {
        for (octets, taken) in [
            (0, 0),
            (1, 32),
            (24, 32),
            (25, 48),
            (40, 48),
            (41, 64),
            (512_000, 512_016),
        ] {
            assert_eq!(allocated_octets(octets), taken, "{octets}");
        }
        assert!(allocated_octets(usize::MAX) >= usize::MAX - 15);
    }
}
