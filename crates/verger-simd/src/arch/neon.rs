//! Two vectors of 16 bytes, for aarch64. NEON belongs to the baseline of its targets, so nothing is
//! detected.
//!
//! A NEON look-up yields zero from index 16 on, so bytes are reduced to their low halves first.
//! NEON has no instruction that gathers the top bits of bytes. Instead, each byte keeps the bit of
//! its position, and three additions of neighbors turn 32 bytes into four.
//!
//! The laws were run under QEMU. Nothing was measured, because no such processor was available.
#![allow(
    unsafe_code,
    reason = "vector instructions are unsafe functions; the baseline of the target has them"
)]

use core::arch::aarch64::{
    uint8x16_t, vandq_u8, vceqq_u8, vdupq_n_u8, vgetq_lane_u32, vld1q_u8, vorrq_u8, vpaddq_u8,
    vqtbl1q_u8, vreinterpretq_u32_u8, vshrq_n_u8,
};

use crate::masks::TargetMasks;
use crate::vectors::Vectors;

/// Masks for a processor with NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon;

impl TargetMasks for Neon {
    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }
}

impl Vectors for Neon {
    type Bytes = [uint8x16_t; 2];

    #[inline(always)]
    fn load(self, block: &[u8; 32]) -> [uint8x16_t; 2] {
        let (halves, _) = block.as_chunks::<16>();
        [load(&halves[0]), load(&halves[1])]
    }

    #[inline(always)]
    fn table(self, entries: &[u8; 16]) -> [uint8x16_t; 2] {
        [load(entries); 2]
    }

    #[inline(always)]
    fn all(self, byte: u8) -> [uint8x16_t; 2] {
        // SAFETY: this module is compiled only where NEON is enabled.
        [unsafe { vdupq_n_u8(byte) }; 2]
    }

    #[inline(always)]
    fn by_low_half(self, table: [uint8x16_t; 2], bytes: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
        // SAFETY: this module is compiled only where NEON is enabled.
        each(table, self.and(bytes, self.all(15)), |table, low| unsafe {
            vqtbl1q_u8(table, low)
        })
    }

    #[inline(always)]
    fn high_halves(self, bytes: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
        // SAFETY: this module is compiled only where NEON is enabled.
        bytes.map(|half| unsafe { vshrq_n_u8::<4>(half) })
    }

    #[inline(always)]
    fn and(self, bytes: [uint8x16_t; 2], others: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
        // SAFETY: this module is compiled only where NEON is enabled.
        each(bytes, others, |one, other| unsafe { vandq_u8(one, other) })
    }

    #[inline(always)]
    fn or(self, bytes: [uint8x16_t; 2], others: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
        // SAFETY: this module is compiled only where NEON is enabled.
        each(bytes, others, |one, other| unsafe { vorrq_u8(one, other) })
    }

    #[inline(always)]
    fn equal(self, bytes: [uint8x16_t; 2], others: [uint8x16_t; 2]) -> u32 {
        // SAFETY: this module is compiled only where NEON is enabled.
        gathered(each(bytes, others, |one, other| unsafe {
            vceqq_u8(one, other)
        }))
    }

    #[inline(always)]
    fn equal_half(self, block: &[u8; 16], other: &[u8; 16]) -> u32 {
        self.equal([load(block); 2], [load(other); 2]) & 0xFFFF
    }
}

/// Gathers one bit of each byte. The bits of a byte must be all set or all clear.
#[inline(always)]
fn gathered(bytes: [uint8x16_t; 2]) -> u32 {
    let positions = load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    // SAFETY: this module is compiled only where NEON is enabled.
    unsafe {
        let [first, second] = bytes.map(|half| vandq_u8(half, positions));
        let pairs = vpaddq_u8(first, second);
        let fours = vpaddq_u8(pairs, pairs);
        vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vpaddq_u8(fours, fours)))
    }
}

#[inline(always)]
fn each(
    bytes: [uint8x16_t; 2],
    others: [uint8x16_t; 2],
    operation: impl Fn(uint8x16_t, uint8x16_t) -> uint8x16_t,
) -> [uint8x16_t; 2] {
    [
        operation(bytes[0], others[0]),
        operation(bytes[1], others[1]),
    ]
}

#[inline(always)]
fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: this module is compiled only where NEON is enabled. The reference covers the 16 bytes
    // that are read, and the load needs no alignment.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}
