//! Runs kernels on the best masks of the processor.

use crate::arch::Best;
use crate::masks::{Kernel, Preference, TargetMasks};
use crate::portable::Portable;

/// Sets which masks every thread of this process uses from now on. The default is the best. Results
/// do not depend on it. Use it to compare implementations, or to rule out a fault in the vector
/// code. It has an effect on x86-64 only, because elsewhere the masks are chosen at compile time.
pub fn prefer(preference: Preference) {
    Best::prefer(preference);
}

/// Runs a kernel on the preferred masks.
#[inline(always)]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    match Best::detect() {
        Some(best) => best.run(kernel),
        None => dispatch_portable(kernel),
    }
}

/// Runs a kernel on the portable masks.
#[inline]
pub fn dispatch_portable<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Portable)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::masks::Masks;

    struct NameOfMasks;

    impl Kernel for NameOfMasks {
        type Output = &'static str;

        fn run<M: Masks>(self, _: M) -> &'static str {
            core::any::type_name::<M>()
        }
    }

    #[test]
    fn dispatch_uses_the_preferred_masks() {
        let at_first = dispatch(NameOfMasks);
        prefer(Preference::Portable);
        assert_eq!(dispatch(NameOfMasks), dispatch_portable(NameOfMasks));
        prefer(Preference::Best);
        assert_eq!(dispatch(NameOfMasks), at_first);
    }
}
