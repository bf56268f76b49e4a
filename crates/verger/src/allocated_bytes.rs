//! `allocated_bytes`: the heap memory behind an allocation.

const PIECE_BYTES: usize = 8;

const ALIGNMENT_BYTES: usize = 16;

const PIECE_BYTES_MIN: usize = 32;

/// Returns how much memory an allocation of this size takes, in bytes, including header and
/// rounding. It follows glibc on 64-bit machines. Other allocators differ little.
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
