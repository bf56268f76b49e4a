//! The traits `Masks` (byte-class masks of blocks), `Kernel` (a loop that uses them) and
//! `TargetMasks` (the part that an architecture implements).

use crate::byte_set::ByteSet;
use crate::first_byte_set::FirstByteSet;
use crate::run_set::RunSet;

/// Computes masks of blocks of bytes. Bit *i* of a mask stands for byte *i* of the block.
pub trait Masks: Copy {
    /// Returns a mask of the bytes that are CR or LF.
    fn line_ends(self, block: &[u8; 64]) -> u64;

    /// Returns a mask of the bytes at `starts` that belong to the set.
    fn starting_with(self, block: &[u8; 64], starts: u64, set: &FirstByteSet) -> u64;

    /// Returns a mask of the bytes that equal `byte`.
    fn equals(self, block: &[u8; 32], byte: u8) -> u32;

    /// Returns a mask, in the lower 16 bits, of the bytes that differ between two blocks.
    fn differs(self, block: &[u8; 16], other: &[u8; 16]) -> u32;

    /// Returns a mask of the bytes that belong to the set.
    fn members(self, block: &[u8; 32], set: &ByteSet) -> u32;

    /// Returns a mask of the bytes of two blocks that equal `byte`.
    #[inline(always)]
    fn equals_of_two(self, blocks: &[u8; 64], byte: u8) -> u64 {
        of_two(blocks, |block| self.equals(block, byte))
    }

    /// Returns a mask of the bytes of two blocks that belong to the set.
    #[inline(always)]
    fn members_of_two(self, blocks: &[u8; 64], set: &ByteSet) -> u64 {
        of_two(blocks, |block| self.members(block, set))
    }

    /// Returns a mask of the first 32 positions at which a run of the set may start.
    fn may_start(self, block: &[u8; 35], set: &RunSet) -> u32;
}

/// Combines the masks of two blocks.
#[inline(always)]
pub(crate) fn of_two(blocks: &[u8; 64], mask: impl Fn(&[u8; 32]) -> u32) -> u64 {
    let (blocks, _) = blocks.as_chunks::<32>();
    u64::from(mask(&blocks[0])) | u64::from(mask(&blocks[1])) << 32
}

/// A loop that is compiled once for each kind of processor.
///
/// Mark `run` and every hot function that it calls `#[inline(always)]`. A function that is not
/// inlined into [`dispatch`](crate::dispatch) is compiled for the baseline processor.
pub trait Kernel {
    /// The result of the loop.
    type Output;

    /// Runs the loop.
    fn run<M: Masks>(self, masks: M) -> Self::Output;
}

/// Defines a function that is a kernel. Its first argument is the masks, which
/// [`dispatch`](crate::dispatch) chooses.
///
/// ```
/// verger_simd::kernel! {
///     /// Counts the line ends.
///     fn line_ends<'b>(masks: M, blocks: &'b [[u8; 64]]) -> u32 {
///         blocks.iter().map(|block| masks.line_ends(block).count_ones()).sum()
///     }
/// }
///
/// assert_eq!(line_ends(&[[b'\n'; 64]]), 64);
/// ```
#[macro_export]
macro_rules! kernel {
    ($(#[$attribute:meta])* $visible:vis fn $name:ident<$($lifetime:lifetime),*>(
        $masks:ident: M, $($argument:ident: $of:ty),* $(,)?
    ) -> $output:ty $run:block) => {
        $(#[$attribute])*
        $visible fn $name<$($lifetime),*>($($argument: $of),*) -> $output {
            struct Arguments<$($lifetime),*> { $($argument: $of),* }

            impl<$($lifetime),*> $crate::Kernel for Arguments<$($lifetime),*> {
                type Output = $output;

                #[inline(always)]
                fn run<M: $crate::Masks>(self, $masks: M) -> $output {
                    let Self { $($argument),* } = self;
                    $run
                }
            }

            $crate::dispatch(Arguments { $($argument),* })
        }
    };
}

/// The masks that [`dispatch`](crate::dispatch) runs kernels on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The fastest masks that this processor supports.
    Best,
    /// The portable masks.
    Portable,
}

/// The masks of an architecture.
pub(crate) trait TargetMasks: Masks {
    /// Returns the masks if this processor supports their instructions and they are preferred.
    fn detect() -> Option<Self>;

    /// Sets which masks are preferred. It has no effect if nothing is detected at run time.
    fn prefer(_: Preference) {}

    /// Runs a kernel, compiled for the instructions of these masks.
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}
