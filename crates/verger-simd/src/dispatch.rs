//! Runs kernels on the best masks of the processor.

use crate::masks::Kernel;
use crate::portable::Portable;

/// The masks that [`dispatch`] runs kernels on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The fastest that this processor supports.
    Best,
    /// The portable ones.
    Portable,
}

/// Sets which masks every thread of this process uses from now on. Default: the best. Results do not
/// depend on it; it is for comparisons, and to exclude a fault of the vector code.
pub fn prefer(preference: Preference) {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    crate::avx2::Avx2::allow(match preference {
        Preference::Best => crate::avx2::Allowed::Yes,
        Preference::Portable => crate::avx2::Allowed::No,
    });
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    let _ = preference;
}

/// Runs a kernel on the preferred masks.
#[inline(always)]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if let Some(avx2) = crate::avx2::Avx2::detect() {
        return avx2.run(kernel);
    }
    dispatch_portable(kernel)
}

/// Runs a kernel on the portable masks.
#[inline]
pub fn dispatch_portable<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Portable)
}

#[cfg(test)]
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
