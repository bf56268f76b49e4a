//! Masks in safe code without vector instructions. They are the reference for all others.

use crate::byte_set::ByteSet;
use crate::first_byte_set::FirstByteSet;
use crate::masks::{Masks, TargetMasks};
use crate::run_set::RunSet;

/// Masks for any processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl TargetMasks for Portable {
    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }
}

/// Repeats a byte eight times.
const fn eight(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Returns a word with the top bit of each byte that is zero. Adding 0x7F to the low seven bits
/// carries into the top bit unless they are zero, and never into the next byte, so the result is
/// exact.
const fn zero_bytes(word: u64) -> u64 {
    !(((word & eight(0x7F)) + eight(0x7F)) | word) & eight(0x80)
}

/// Gathers the top bit of each byte. The product collects them in its highest byte.
const fn gathered(top_bits: u64) -> u64 {
    (top_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl Masks for Portable {
    #[inline(always)]
    fn line_ends(self, block: &[u8; 64]) -> u64 {
        let (words, _) = block.as_chunks::<8>();
        let mut mask = 0;
        for (at, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let ends = zero_bytes(word ^ eight(b'\n')) | zero_bytes(word ^ eight(b'\r'));
            mask |= gathered(ends) << (8 * at);
        }
        mask
    }

    #[inline(always)]
    fn starting_with(self, block: &[u8; 64], starts: u64, set: &FirstByteSet) -> u64 {
        let mut rest = starts;
        let mut found = 0;
        while rest != 0 {
            let start = rest.trailing_zeros();
            rest &= rest - 1;
            found |= u64::from(set.contains(block[start as usize])) << start;
        }
        found
    }

    #[inline(always)]
    fn equals(self, block: &[u8; 32], byte: u8) -> u32 {
        let (words, _) = block.as_chunks::<8>();
        let mut mask = 0;
        for (at, word) in words.iter().enumerate() {
            let equal = gathered(zero_bytes(u64::from_le_bytes(*word) ^ eight(byte)));
            mask |= equal << (8 * at);
        }
        u32::try_from(mask).unwrap_or(u32::MAX)
    }

    #[inline(always)]
    fn differs(self, block: &[u8; 16], other: &[u8; 16]) -> u32 {
        let (words, _) = block.as_chunks::<8>();
        let (others, _) = other.as_chunks::<8>();
        let equal = |at: usize| {
            let differing = u64::from_le_bytes(words[at]) ^ u64::from_le_bytes(others[at]);
            gathered(zero_bytes(differing))
        };
        let mask = !(equal(0) | (equal(1) << 8)) & 0xFFFF;
        u32::try_from(mask).unwrap_or(u32::MAX)
    }

    #[inline(always)]
    fn members(self, block: &[u8; 32], set: &ByteSet) -> u32 {
        let mut mask = 0;
        for (at, &byte) in block.iter().enumerate() {
            mask |= u32::from(set.contains(byte)) << at;
        }
        mask
    }

    #[inline(always)]
    fn may_start(self, block: &[u8; 35], set: &RunSet) -> u32 {
        let mut mask = 0;
        for (at, bytes) in block.windows(4).enumerate() {
            let mut buckets = 0xFF;
            for (byte, [by_low_half, by_high_half]) in bytes.iter().zip(&set.rows) {
                buckets &= by_low_half[usize::from(byte & 15)];
                buckets &= by_high_half[usize::from(byte >> 4)];
                if buckets == 0 {
                    break;
                }
            }
            mask |= u32::from(buckets != 0) << at;
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_distinguished_from_its_neighbours() {
        for byte in 0..=u8::MAX {
            for at in 0..64 {
                let mut block = [b'a'; 64];
                block[at] = byte;
                let expected = u64::from(byte == b'\n' || byte == b'\r') << at;
                assert_eq!(Portable.line_ends(&block), expected, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn a_set_of_first_bytes_is_compared_without_regard_to_case() {
        let set = FirstByteSet::new(b"ud \t");
        for byte in 0..=u8::MAX {
            let expected = b"uUdD \0\t)".contains(&byte);
            assert_eq!(set.contains(byte), expected, "{byte}");
            let mut block = [b'u'; 64];
            block[63] = byte;
            let found = Portable.starting_with(&block, 1 << 63 | 2, &set);
            assert_eq!(found, u64::from(expected) << 63 | 2, "{byte}");
        }
    }

    #[test]
    fn a_run_may_start_where_it_does() {
        let runs: [&[u8]; 3] = [b"?a=b", &[b'&', 0xC3], &[0; 4]];
        let set = RunSet::of(runs.into_iter());
        for at in 0..32 {
            for run in runs {
                let mut block = [b'x'; 35];
                block[at..at + run.len()].copy_from_slice(run);
                assert_eq!(Portable.may_start(&block, &set), 1 << at, "{run:?} at {at}");
            }
        }
        assert_eq!(
            Portable.may_start(&[b'x'; 35], &RunSet::of([].into_iter())),
            0
        );
    }

    #[test]
    fn a_set_holds_what_it_is_made_of() {
        let bytes = b"az09-._~/%\0\x7F \n";
        let set = ByteSet::new(bytes);
        assert_eq!(ByteSet::from_ascii_in(bytes), set);
        assert_eq!(ByteSet::from_ascii_in(b"\x80\xFFa"), ByteSet::new(b"a"));
        let complement = set.ascii_complement();
        for byte in 0..=u8::MAX {
            assert_eq!(set.contains(byte), bytes.contains(&byte), "{byte}");
            let outside = byte.is_ascii() && !bytes.contains(&byte);
            assert_eq!(complement.contains(byte), outside, "{byte}");
        }
    }
}
