//! Runs kernels on the processor that there is.

use crate::masks::Kernel;
use crate::portable::Portable;

/// Which masks [`dispatch`] runs kernels on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The best that this processor has.
    Best,
    /// The portable ones.
    Portable,
}

/// Sets what every thread of this process prefers from now on; at first it is the best. No answer
/// depends on it: it serves to compare both, and to rule out a faulty processor.
pub fn prefer(preference: Preference) {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    crate::avx2::Avx2::allow(match preference {
        Preference::Best => crate::avx2::Allowed::Yes,
        Preference::Portable => crate::avx2::Allowed::No,
    });
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    let _ = preference;
}

/// Runs a kernel on the masks that are preferred.
#[inline(always)]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if let Some(avx2) = crate::avx2::Avx2::detect() {
        return avx2.run(kernel);
    }
    dispatch_portable(kernel)
}

/// Runs a kernel on the portable masks, whatever the processor has.
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
    fn what_is_preferred_is_used() {
        let at_first = dispatch(NameOfMasks);
        prefer(Preference::Portable);
        assert_eq!(dispatch(NameOfMasks), dispatch_portable(NameOfMasks));
        prefer(Preference::Best);
        assert_eq!(dispatch(NameOfMasks), at_first);
    }
}
