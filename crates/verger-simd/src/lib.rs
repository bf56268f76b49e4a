//! Byte-class masks: which octets of a block are line ends, which belong to a set.
//!
//! A hot loop is written once, as a [`Kernel`] that asks a [`Masks`] for masks, and
//! [`dispatch`] runs it: compiled for AVX2 where the processor has it (feature `std`), portable
//! otherwise. Both answer the same for every block, which the tests hold them to.
//!
//! It is the one crate with unsafe code, and has no other purpose.
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
//! | module | one line |
//! |---|---|
//! | `masks` | what a kernel may ask |
//! | `octet_set` | a set of octets in the shape that vector look-ups need |
//! | `lead_set` | the octets that a line of interest may start with |
//! | `run_set` | runs of octets in such a shape |
//! | `portable` | without vector instructions, in safe code |
//! | `avx2` | 32 octets at a time |
//! | `dispatch` | runs kernels on the processor that there is |

#![no_std]
#![cfg_attr(not(all(feature = "std", target_arch = "x86_64")), forbid(unsafe_code))]

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx2;
mod dispatch;
mod lead_set;
mod masks;
mod octet_set;
mod portable;
#[cfg(doctest)]
mod readme;
mod run_set;

pub use dispatch::{Preference, dispatch, dispatch_portable, prefer};
pub use lead_set::LeadSet;
pub use masks::{Kernel, Masks};
pub use octet_set::OctetSet;
pub use run_set::{Run, RunSet};
