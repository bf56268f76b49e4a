//! Byte-class masks: which octets of a block are line ends, which belong to a set.
//!
//! A hot loop is written once, as a [`Kernel`] that calls the methods of a [`Masks`], and
//! [`dispatch`] runs it: compiled for AVX2 where the processor has it (feature `std`), portable
//! otherwise. Both return the same for every block; tests compare them.
//!
//! It is the only crate of the workspace with unsafe code, and has no other purpose.
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
//! | `octet_set` | a set of octets as tables for vector look-ups |
//! | `first_octet_set` | the first octets of the lines of interest |
//! | `run_set` | a set of runs of octets as such tables |
//! | `portable` | masks without vector instructions, in safe code: the reference |
//! | `avx2` | masks of 32 octets at a time |
//! | `dispatch` | runs kernels on the best masks of the processor |

#![no_std]
#![cfg_attr(not(feature = "std"), forbid(unsafe_code))]

mod arch;
mod dispatch;
mod first_octet_set;
mod masks;
mod octet_set;
mod portable;
#[cfg(doctest)]
mod readme;
mod run_set;
mod vectors;

pub use dispatch::{dispatch, dispatch_portable, prefer};
pub use first_octet_set::FirstOctetSet;
pub use masks::{Kernel, Masks, Preference};
pub use octet_set::OctetSet;
pub use run_set::{Run, RunSet};
