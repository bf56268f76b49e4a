//! Masks of 32 bytes at a time, for processors with AVX2.
//!
//! Invariant: only [`Avx2::detect`] makes an [`Avx2`], so if a value exists, the processor has
//! AVX2, BMI1, BMI2, LZCNT and POPCNT. Every SAFETY comment here relies on that.
#![allow(
    unsafe_code,
    reason = "vector instructions are unsafe functions; the invariant above makes them sound"
)]

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm256_and_si256,
    _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

use core::sync::atomic::{AtomicU8, Ordering};

use crate::byte_set::ByteSet;
use crate::first_byte_set::FirstByteSet;
use crate::masks::{Kernel, Masks, Preference, TargetMasks, of_two};
use crate::run_set::RunSet;

extern crate std;

/// Masks for a processor with AVX2. A value exists only on such a processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl TargetMasks for Avx2 {
    /// Caches the result. Further calls cost a load and a branch.
    #[inline(always)]
    fn detect() -> Option<Self> {
        let known = KNOWN.load(Ordering::Relaxed);
        let has_them = if known == UNKNOWN {
            ask()
        } else {
            known == YES
        };
        has_them.then_some(Self(()))
    }

    fn prefer(preference: Preference) {
        KNOWN.store(
            match preference {
                Preference::Best => UNKNOWN,
                Preference::Portable => NO,
            },
            Ordering::Relaxed,
        );
    }

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` exists, so the processor has the instructions that `run_with` enables.
        unsafe { run_with(self, kernel) }
    }
}

/// The cached result of the detection. Every thread would store the same.
static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const YES: u8 = 1;
const NO: u8 = 2;

#[cold]
fn ask() -> bool {
    let has_them = std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt");
    KNOWN.store(if has_them { YES } else { NO }, Ordering::Relaxed);
    has_them
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_with<K: Kernel>(masks: Avx2, kernel: K) -> K::Output {
    kernel.run(masks)
}

impl Masks for Avx2 {
    #[inline(always)]
    fn line_ends(self, block: &[u8; 64]) -> u64 {
        // SAFETY: `self` exists, so the processor has AVX2.
        of_two(block, |half| unsafe { line_ends(half) })
    }

    #[inline(always)]
    fn starting_with(self, block: &[u8; 64], starts: u64, set: &FirstByteSet) -> u64 {
        // SAFETY: `self` exists, so the processor has AVX2.
        starts & of_two(block, |half| unsafe { first_bytes(half, set) })
    }

    #[inline(always)]
    fn equals(self, block: &[u8; 32], byte: u8) -> u32 {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { equals(block, byte) }
    }

    #[inline(always)]
    fn differs(self, block: &[u8; 16], other: &[u8; 16]) -> u32 {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { differs(block, other) }
    }

    #[inline(always)]
    fn members(self, block: &[u8; 32], set: &ByteSet) -> u32 {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { members(block, set) }
    }

    #[inline(always)]
    fn may_start(self, block: &[u8; 35], set: &RunSet) -> u32 {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { may_start(block, set) }
    }
}

/// Finds line ends. CR and LF have different low halves, so a look-up by low half yields the only
/// line end that a byte could be, and one comparison finds both. (Bytes from 0x80 on look up zero,
/// which they do not equal. The byte zero looks up one.)
#[inline]
#[target_feature(enable = "avx2")]
fn line_ends(block: &[u8; 32]) -> u32 {
    let candidates = _mm256_setr_epi8(
        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 13, 0, 0, //
        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 13, 0, 0,
    );
    let bytes = load(block);
    let candidate = _mm256_shuffle_epi8(candidates, bytes);
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, candidate)).cast_unsigned()
}

/// Looks up the only member that each folded byte could be, by its low half. (Bytes from 0x80 on
/// look up zero, which no folded byte equals.)
#[inline]
#[target_feature(enable = "avx2")]
fn first_bytes(block: &[u8; 32], set: &FirstByteSet) -> u32 {
    let folded = _mm256_or_si256(load(block), _mm256_set1_epi8(0x20));
    let candidate = _mm256_shuffle_epi8(load_twice(&set.folded), folded);
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(folded, candidate)).cast_unsigned()
}

#[inline]
#[target_feature(enable = "avx2")]
fn differs(block: &[u8; 16], other: &[u8; 16]) -> u32 {
    let equal = _mm_movemask_epi8(_mm_cmpeq_epi8(load_half(block), load_half(other)));
    !equal.cast_unsigned() & 0xFFFF
}

#[inline]
#[target_feature(enable = "avx2")]
fn equals(block: &[u8; 32], byte: u8) -> u32 {
    let equal = _mm256_cmpeq_epi8(load(block), _mm256_set1_epi8(byte.cast_signed()));
    _mm256_movemask_epi8(equal).cast_unsigned()
}

/// Looks bytes up by low and by high half. A byte is a member if both results share a bit. Bytes
/// from 0x80 on have a high half without a bit.
#[inline]
#[target_feature(enable = "avx2")]
fn members(block: &[u8; 32], set: &ByteSet) -> u32 {
    let bytes = load(block);
    let low_halves = _mm256_set1_epi8(15);
    let low = _mm256_and_si256(bytes, low_halves);
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low_halves);
    let shared = _mm256_and_si256(
        _mm256_shuffle_epi8(load_twice(&set.by_low_half), low),
        _mm256_shuffle_epi8(load_twice(&set.by_high_half), high),
    );
    let outside = _mm256_cmpeq_epi8(shared, _mm256_setzero_si256());
    !_mm256_movemask_epi8(outside).cast_unsigned()
}

/// Looks up both halves of each byte of a run. The bit of a bucket remains if the bucket has all
/// eight halves.
#[inline]
#[target_feature(enable = "avx2")]
fn may_start(block: &[u8; 35], set: &RunSet) -> u32 {
    let low_halves = _mm256_set1_epi8(15);
    let mut buckets = _mm256_set1_epi8(-1);
    for (bytes, [by_low_half, by_high_half]) in block.windows(32).zip(&set.rows) {
        let Some(bytes) = bytes.first_chunk() else {
            continue;
        };
        let bytes = load(bytes);
        let low = _mm256_and_si256(bytes, low_halves);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low_halves);
        let of_low = _mm256_shuffle_epi8(load_twice(by_low_half), low);
        let of_high = _mm256_shuffle_epi8(load_twice(by_high_half), high);
        buckets = _mm256_and_si256(buckets, _mm256_and_si256(of_low, of_high));
    }
    let none = _mm256_cmpeq_epi8(buckets, _mm256_setzero_si256());
    !_mm256_movemask_epi8(none).cast_unsigned()
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &[u8; 32]) -> __m256i {
    // SAFETY: the reference covers the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(block.as_ptr().cast()) }
}

/// Loads 16 bytes into both halves of a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn load_twice(row: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load_half(row))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_half(block: &[u8; 16]) -> __m128i {
    // SAFETY: the reference covers the 16 bytes that are read, and the load needs no alignment.
    unsafe { _mm_loadu_si128(block.as_ptr().cast()) }
}
