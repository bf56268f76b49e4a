//! `Masks`: byte-class masks of blocks; `Kernel`: a loop that uses them; `TargetMasks`: what each
//! architecture has besides.

use crate::byte_set::ByteSet;
use crate::first_byte_set::FirstByteSet;
use crate::run_set::RunSet;

/// Computes masks of blocks of bytes. Bit *i* of a mask is about byte *i* of the block.
pub trait Masks: Copy {
    /// Which bytes are CR or LF.
    fn line_ends(self, block: &[u8; 64]) -> u64;

    /// Which of the bytes at `starts` belong to the set.
    fn starting_with(self, block: &[u8; 64], starts: u64, set: &FirstByteSet) -> u64;

    /// Which bytes are `byte`.
    fn equals(self, block: &[u8; 32], byte: u8) -> u32;

    /// Which bytes differ from those of another block, in the lower 16 bits.
    fn differs(self, block: &[u8; 16], other: &[u8; 16]) -> u32;

    /// Which bytes belong to the set.
    fn members(self, block: &[u8; 32], set: &ByteSet) -> u32;

    /// Which bytes of two blocks are `byte`.
    #[inline(always)]
    fn equals_of_two(self, blocks: &[u8; 64], byte: u8) -> u64 {
        of_two(blocks, |block| self.equals(block, byte))
    }

    /// Which bytes of two blocks belong to the set.
    #[inline(always)]
    fn members_of_two(self, blocks: &[u8; 64], set: &ByteSet) -> u64 {
        of_two(blocks, |block| self.members(block, set))
    }

    /// At which of the first 32 bytes a run of the set may start.
    fn may_start(self, block: &[u8; 35], set: &RunSet) -> u32;
}

/// The mask of two blocks out of those of each.
#[inline(always)]
pub(crate) fn of_two(blocks: &[u8; 64], mask: impl Fn(&[u8; 32]) -> u32) -> u64 {
    let (blocks, _) = blocks.as_chunks::<32>();
    u64::from(mask(&blocks[0])) | u64::from(mask(&blocks[1])) << 32
}

/// A loop that is compiled once for each kind of processor.
///
/// Mark `run` and every hot function that it calls `#[inline(always)]`: a function that is not inlined
/// into [`dispatch`](crate::dispatch) is compiled for the baseline processor.
pub trait Kernel {
    /// The result of the loop.
    type Output;

    /// Runs the loop.
    fn run<M: Masks>(self, masks: M) -> Self::Output;
}

/// Defines a function that is one kernel: its first argument is masks, which [`dispatch`](crate::dispatch) chooses.
///
/// ```
/// verger_simd::kernel! {
///     /// How many bytes are line ends.
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
    /// The fastest that this processor supports.
    Best,
    /// The portable ones.
    Portable,
}

/// The masks of an architecture.
pub(crate) trait TargetMasks: Masks {
    /// Returns the masks, where this processor has their instructions and they are preferred.
    fn detect() -> Option<Self>;

    /// Sets which masks are preferred. It has no effect where nothing is detected at run time.
    fn prefer(_: Preference) {}

    /// Runs a kernel, compiled for the instructions of these masks.
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}
