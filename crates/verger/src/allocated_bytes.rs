//! `allocated_bytes`: what something of a size takes on the heap.

/// What the allocator adds to each piece.
const PIECE_BYTES: usize = 8;

/// Pieces begin at multiples of so many bytes.
const ALIGNMENT_BYTES: usize = 16;

/// No piece takes less.
const PIECE_BYTES_MIN: usize = 32;

/// How many bytes of memory an allocation of that many takes, with its header and what rounding
/// adds, as glibc has them on 64-bit machines; others differ little. Nothing takes nothing.
#[must_use]
pub const fn allocated_bytes(bytes: usize) -> usize {
    if bytes == 0 {
        return 0;
    }
    let padded = bytes.saturating_add(PIECE_BYTES + ALIGNMENT_BYTES - 1);
    let taken = padded - padded % ALIGNMENT_BYTES;
    if taken < PIECE_BYTES_MIN {
        PIECE_BYTES_MIN
    } else {
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_rounded_up_after_its_header() {
        for (bytes, taken) in [
            (0, 0),
            (1, 32),
            (24, 32),
            (25, 48),
            (40, 48),
            (41, 64),
            (512_000, 512_016),
        ] {
            assert_eq!(allocated_bytes(bytes), taken, "{bytes}");
        }
        assert!(allocated_bytes(usize::MAX) >= usize::MAX - 15);
    }
}
