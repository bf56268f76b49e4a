//! Runs kernels on the processor that there is.

use crate::masks::Kernel;
use crate::portable::Portable;

/// Runs a kernel on the best masks that this processor has.
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
