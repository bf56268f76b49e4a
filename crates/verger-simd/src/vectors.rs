//! The algorithms of the masks, written once over the few vector operations that NEON and simd128
//! share.
//!
//! AVX2 has algorithms of its own. Over these operations J1 `a_wordpress` takes 7 % more
//! instructions.
//!
//! A class of bytes is a look-up. A vector look-up has 16 entries, so a byte is looked up by its
//! low half, by its high half, or by both:
//!
//! ```text
//! line ends, first bytes   byte = by_low_half[byte & 15]           one entry for each low half
//! members                   by_low_half[byte & 15] & by_high_half[byte >> 4] != 0
//! runs                      the same for each of four neighbors, all in one conjunction
//! ```

use crate::byte_set::ByteSet;
use crate::first_byte_set::FirstByteSet;
use crate::masks::{Masks, of_two};
use crate::run_set::RunSet;

/// Operations on vectors of 32 bytes. A value exists only if the processor has the instructions.
///
/// Implement every method `#[inline(always)]`. A method that is not inlined into the kernel is
/// compiled without the instructions.
pub(crate) trait Vectors: Copy {
    /// 32 bytes.
    type Bytes: Copy;

    /// Loads the bytes of a block.
    fn load(self, block: &[u8; 32]) -> Self::Bytes;

    /// Loads the 16 entries of a table into both halves of a vector.
    fn table(self, entries: &[u8; 16]) -> Self::Bytes;

    /// Repeats a byte 32 times.
    fn all(self, byte: u8) -> Self::Bytes;

    /// Looks bytes up in a table by their low halves. For bytes from 0x80 on it may return zero
    /// instead.
    fn by_low_half(self, table: Self::Bytes, bytes: Self::Bytes) -> Self::Bytes;

    /// Returns the high halves of bytes, shifted down.
    fn high_halves(self, bytes: Self::Bytes) -> Self::Bytes;

    /// Returns the bits that both have.
    fn and(self, bytes: Self::Bytes, others: Self::Bytes) -> Self::Bytes;

    /// Returns the bits that either has.
    fn or(self, bytes: Self::Bytes, others: Self::Bytes) -> Self::Bytes;

    /// Returns a mask of the bytes that are equal.
    fn equal(self, bytes: Self::Bytes, others: Self::Bytes) -> u32;

    /// Returns a mask, in the lower 16 bits, of the bytes of two blocks that are equal.
    fn equal_half(self, block: &[u8; 16], other: &[u8; 16]) -> u32;
}

impl<V: Vectors> Masks for V {
    #[inline(always)]
    fn line_ends(self, block: &[u8; 64]) -> u64 {
        line_ends(self, block)
    }

    #[inline(always)]
    fn starting_with(self, block: &[u8; 64], starts: u64, set: &FirstByteSet) -> u64 {
        starting_with(self, block, starts, set)
    }

    #[inline(always)]
    fn equals(self, block: &[u8; 32], byte: u8) -> u32 {
        equals(self, block, byte)
    }

    #[inline(always)]
    fn differs(self, block: &[u8; 16], other: &[u8; 16]) -> u32 {
        differs(self, block, other)
    }

    #[inline(always)]
    fn members(self, block: &[u8; 32], set: &ByteSet) -> u32 {
        members(self, block, set)
    }

    #[inline(always)]
    fn may_start(self, block: &[u8; 35], set: &RunSet) -> u32 {
        may_start(self, block, set)
    }
}

#[inline(always)]
fn line_ends<V: Vectors>(vectors: V, block: &[u8; 64]) -> u64 {
    /// CR and LF have different low halves, so each byte looks up the only line end that it could
    /// be. (The byte zero looks up one. No byte from 0x80 on equals an entry.)
    const BY_LOW_HALF: [u8; 16] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 13, 0, 0];
    let table = vectors.table(&BY_LOW_HALF);
    of_two(block, |half| {
        let bytes = vectors.load(half);
        vectors.equal(bytes, vectors.by_low_half(table, bytes))
    })
}

#[inline(always)]
fn starting_with<V: Vectors>(vectors: V, block: &[u8; 64], starts: u64, set: &FirstByteSet) -> u64 {
    let table = vectors.table(&set.folded);
    let found = of_two(block, |half| {
        let folded = vectors.or(vectors.load(half), vectors.all(0x20));
        vectors.equal(folded, vectors.by_low_half(table, folded))
    });
    found & starts
}

#[inline(always)]
fn equals<V: Vectors>(vectors: V, block: &[u8; 32], byte: u8) -> u32 {
    vectors.equal(vectors.load(block), vectors.all(byte))
}

#[inline(always)]
fn differs<V: Vectors>(vectors: V, block: &[u8; 16], other: &[u8; 16]) -> u32 {
    !vectors.equal_half(block, other) & 0xFFFF
}

/// Tests membership. Bytes from 0x80 on have a high half without a bit.
#[inline(always)]
fn members<V: Vectors>(vectors: V, block: &[u8; 32], set: &ByteSet) -> u32 {
    let bytes = vectors.load(block);
    let of_low = vectors.by_low_half(vectors.table(&set.by_low_half), bytes);
    let high = vectors.high_halves(bytes);
    let of_high = vectors.by_low_half(vectors.table(&set.by_high_half), high);
    !vectors.equal(vectors.and(of_low, of_high), vectors.all(0))
}

/// Tests runs. The bit of a bucket remains if the bucket has all eight halves. Bytes from 0x80 on
/// matter here, so only their low halves are looked up.
#[inline(always)]
fn may_start<V: Vectors>(vectors: V, block: &[u8; 35], set: &RunSet) -> u32 {
    let mut buckets = vectors.all(0xFF);
    for (bytes, [by_low_half, by_high_half]) in block.windows(32).zip(&set.rows) {
        let Some(bytes) = bytes.first_chunk() else {
            continue;
        };
        let bytes = vectors.load(bytes);
        let low = vectors.and(bytes, vectors.all(15));
        let of_low = vectors.by_low_half(vectors.table(by_low_half), low);
        let high = vectors.high_halves(bytes);
        let of_high = vectors.by_low_half(vectors.table(by_high_half), high);
        buckets = vectors.and(buckets, vectors.and(of_low, of_high));
    }
    !vectors.equal(buckets, vectors.all(0))
}
