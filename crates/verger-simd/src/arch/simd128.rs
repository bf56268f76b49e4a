//! Two vectors of 16 bytes, for WebAssembly with `simd128`. A module with these instructions is not
//! loaded by hosts that do not support them, so nothing is detected.
//!
//! A look-up in WebAssembly yields zero from index 16 on, so bytes are reduced to their low halves
//! first.
//!
//! In Node 20, one pass over 500 files of a corpus takes 26 % of the time that the portable masks
//! take, and building their trees takes 45 %.
#![allow(
    unsafe_code,
    reason = "a load reads from a pointer, which is made from a reference"
)]

use core::arch::wasm32::{
    i8x16_bitmask, i8x16_eq, u8x16_shr, u8x16_splat, u8x16_swizzle, v128, v128_and, v128_load,
    v128_or,
};

use crate::masks::TargetMasks;
use crate::vectors::Vectors;

/// Masks for WebAssembly with `simd128`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

impl TargetMasks for Simd128 {
    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }
}

impl Vectors for Simd128 {
    type Bytes = [v128; 2];

    #[inline(always)]
    fn load(self, block: &[u8; 32]) -> [v128; 2] {
        let (halves, _) = block.as_chunks::<16>();
        [load(&halves[0]), load(&halves[1])]
    }

    #[inline(always)]
    fn table(self, entries: &[u8; 16]) -> [v128; 2] {
        [load(entries); 2]
    }

    #[inline(always)]
    fn all(self, byte: u8) -> [v128; 2] {
        [u8x16_splat(byte); 2]
    }

    #[inline(always)]
    fn by_low_half(self, table: [v128; 2], bytes: [v128; 2]) -> [v128; 2] {
        each(table, self.and(bytes, self.all(15)), |one, other| {
            u8x16_swizzle(one, other)
        })
    }

    #[inline(always)]
    fn high_halves(self, bytes: [v128; 2]) -> [v128; 2] {
        bytes.map(|half| u8x16_shr(half, 4))
    }

    #[inline(always)]
    fn and(self, bytes: [v128; 2], others: [v128; 2]) -> [v128; 2] {
        each(bytes, others, |one, other| v128_and(one, other))
    }

    #[inline(always)]
    fn or(self, bytes: [v128; 2], others: [v128; 2]) -> [v128; 2] {
        each(bytes, others, |one, other| v128_or(one, other))
    }

    #[inline(always)]
    fn equal(self, bytes: [v128; 2], others: [v128; 2]) -> u32 {
        let [first, second] =
            each(bytes, others, |one, other| i8x16_eq(one, other)).map(|half| i8x16_bitmask(half));
        u32::from(first) | (u32::from(second) << 16)
    }

    #[inline(always)]
    fn equal_half(self, block: &[u8; 16], other: &[u8; 16]) -> u32 {
        u32::from(i8x16_bitmask(i8x16_eq(load(block), load(other))))
    }
}

#[inline(always)]
fn each(bytes: [v128; 2], others: [v128; 2], operation: impl Fn(v128, v128) -> v128) -> [v128; 2] {
    [
        operation(bytes[0], others[0]),
        operation(bytes[1], others[1]),
    ]
}

#[inline(always)]
fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: the reference covers the 16 bytes that are read, and the load needs no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}
