//! Byte-class masks: which bytes of a block are line ends, which belong to a set.
//!
//! A hot loop is written once, as a [`Kernel`] that calls the methods of a [`Masks`], and
//! [`dispatch`] runs it, with the feature `std` on vectors:
//!
//! | target | vectors | chosen | laws ran |
//! |---|---|---|---|
//! | x86-64 | AVX2 | at run time | on processors with it |
//! | aarch64 | NEON | at compile time: baseline | under QEMU, on no processor |
//! | wasm32 | `simd128` | at compile time: `-C target-feature=+simd128` | in Node 20 |
//!
//! Everything else is portable. All return the same for every block: `examples/laws.rs` compares them,
//! as a test and, on targets without tests, as a program. An architecture is one file in `arch/` with a
//! dozen operations, and its line in `arch.rs`.
//!
//! Below the bindings it is the only crate of the workspace with unsafe code, and has no other purpose.
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
//! | `first_byte_set` | the first bytes of the lines of interest |
//! | `run_set` | a set of runs of bytes as such tables |
//! | `portable` | masks without vector instructions, in safe code: the reference |
//! | `vectors` | masks over the vector operations that NEON and simd128 have |
//! | `arch` | `neon` and `simd128` with these operations, `avx2` with masks of its own; which of them the target has |
//! | `dispatch` | runs kernels on the best masks of the processor |
//! | `any_line` | whether a body may have a line of some kind |

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
