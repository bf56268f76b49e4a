//! Masks of 32 octets at a time, for processors with AVX2.
//!
//! Invariant: only [`Avx2::detect`] makes an [`Avx2`], so where there is a value of it, the processor
//! has AVX2, BMI1, BMI2, LZCNT and POPCNT. Every SAFETY comment here relies on that.
#![allow(
    unsafe_code,
    reason = "vector instructions are unsafe functions; the invariant above makes them sound"
)]

use core::arch::x86_64::{
    __m256i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm256_and_si256,
    _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

use core::sync::atomic::{AtomicU8, Ordering};

use crate::masks::{Kernel, Preference, TargetMasks};
use crate::vectors::Vectors;

extern crate std;

/// Masks for a processor with AVX2. A value exists only on such a processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl TargetMasks for Avx2 {
    /// The result is cached, so that a further call costs a load and a branch.
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

#[inline]
#[target_feature(enable = "avx2")]
fn compiled_with<R>(mask: impl FnOnce() -> R) -> R {
    mask()
}

impl Vectors for Avx2 {
    type Octets = __m256i;

    #[inline(always)]
    fn compiled<R>(self, mask: impl FnOnce() -> R) -> R {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { compiled_with(mask) }
    }

    #[inline(always)]
    fn load(self, block: &[u8; 32]) -> __m256i {
        // SAFETY: `self` exists, so the processor has AVX2; the reference covers the 32 octets that are
        // read, and the load needs no alignment.
        unsafe { _mm256_loadu_si256(block.as_ptr().cast()) }
    }

    #[inline(always)]
    fn table(self, entries: &[u8; 16]) -> __m256i {
        // SAFETY: `self` exists, so the processor has AVX2; the reference covers the 16 octets that are
        // read, and the load needs no alignment.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(entries.as_ptr().cast())) }
    }

    #[inline(always)]
    fn all(self, octet: u8) -> __m256i {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { _mm256_set1_epi8(octet.cast_signed()) }
    }

    /// The instruction looks up zero for octets from 0x80 on.
    #[inline(always)]
    fn by_low_half(self, table: __m256i, octets: __m256i) -> __m256i {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { _mm256_shuffle_epi8(table, octets) }
    }

    #[inline(always)]
    fn high_halves(self, octets: __m256i) -> __m256i {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { _mm256_and_si256(_mm256_srli_epi16::<4>(octets), _mm256_set1_epi8(15)) }
    }

    #[inline(always)]
    fn and(self, octets: __m256i, others: __m256i) -> __m256i {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { _mm256_and_si256(octets, others) }
    }

    #[inline(always)]
    fn or(self, octets: __m256i, others: __m256i) -> __m256i {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { _mm256_or_si256(octets, others) }
    }

    #[inline(always)]
    fn lesser(self, octets: __m256i, others: __m256i) -> __m256i {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { _mm256_min_epu8(octets, others) }
    }

    #[inline(always)]
    fn equal(self, octets: __m256i, others: __m256i) -> u32 {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi8(octets, others)) }.cast_unsigned()
    }

    #[inline(always)]
    fn equal_half(self, block: &[u8; 16], other: &[u8; 16]) -> u32 {
        // SAFETY: `self` exists, so the processor has AVX2; the references cover the 16 octets that are
        // read, and the loads need no alignment.
        let equal = unsafe {
            let octets = _mm_loadu_si128(block.as_ptr().cast());
            _mm_movemask_epi8(_mm_cmpeq_epi8(
                octets,
                _mm_loadu_si128(other.as_ptr().cast()),
            ))
        };
        equal.cast_unsigned()
    }
}
