//! Byte-class masks: which bytes of a block are line ends, and which belong to a set.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! Write a hot loop once, as a [`Kernel`] that calls the methods of a [`Masks`]. [`dispatch`] runs
//! it on the best masks of the processor. With the feature `std` these use vectors:
//! | target | vectors | chosen | laws ran |
//! |---|---|---|---|
//! | x86-64 | AVX2 | at run time | on processors with it |
//! | aarch64 | NEON | at compile time: baseline | under QEMU, on no processor |
//! | wasm32 | `simd128` | at compile time: `-C target-feature=+simd128` | in Node 20 |
//!
//! All other targets use portable code. The masks of every implementation are the same for every
//! block. `examples/laws.rs` compares them, as a test and, on targets without tests, as a program.
//! An architecture is one file in `arch/` with a dozen operations, and a line in `arch.rs`.
//!
//! Apart from the bindings, this is the only crate of the workspace with unsafe code.
//!
//! ```
//! use verger_simd::{Kernel, Masks, dispatch};
//!
//! struct CountLines<'b>(&'b [[u8; 64]]);
//!
//! impl Kernel for CountLines<'_> {
//!     type Output = u32;
//!
//!     fn run<M: Masks>(self, masks: M) -> u32 {
//!         self.0.iter().map(|block| masks.line_ends(block).count_ones()).sum()
//!     }
//! }
//!
//! let mut block = [b'a'; 64];
//! block[7] = b'\n';
//! assert_eq!(dispatch(CountLines(&[block])), 1);
//! ```
//!
//! | module | content |
//! |---|---|
//! | `masks` | the traits of masks and kernels |
//! | `byte_set` | a set of bytes as tables for vector look-ups |
//! | `first_byte_set` | the first bytes of the lines that a scan looks for |
//! | `run_set` | a set of runs of bytes as tables for vector look-ups |
//! | `portable` | masks in safe code without vector instructions: the reference |
//! | `vectors` | masks over the vector operations that NEON and simd128 share |
//! | `arch` | `neon` and `simd128` implement these operations, `avx2` implements its own masks |
//! | `dispatch` | runs kernels on the best masks of the processor |
//! | `any_line` | finds out whether a body may have a line of some kind |

#![no_std]
#![cfg_attr(not(feature = "std"), forbid(unsafe_code))]

mod any_line;
mod arch;
mod byte_set;
mod dispatch;
mod first_byte_set;
mod masks;
mod portable;
#[cfg(doctest)]
mod readme;
mod run_set;
#[cfg(all(
    feature = "std",
    any(
        all(target_arch = "aarch64", target_feature = "neon"),
        all(target_arch = "wasm32", target_feature = "simd128"),
    )
))]
mod vectors;

pub use any_line::any_line;
pub use byte_set::ByteSet;
pub use dispatch::{dispatch, dispatch_portable, prefer};
pub use first_byte_set::FirstByteSet;
pub use masks::{Kernel, Masks, Preference};
pub use run_set::RunSet;
