//! The masks of the target: one module for each architecture with vectors.

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod avx2;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) use avx2::Avx2 as Best;

#[cfg(all(feature = "std", target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(all(feature = "std", target_arch = "aarch64", target_feature = "neon"))]
pub(crate) use neon::Neon as Best;

#[cfg(all(feature = "std", target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(all(feature = "std", target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::Simd128 as Best;

#[cfg(not(all(
    feature = "std",
    any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_feature = "neon"),
        all(target_arch = "wasm32", target_feature = "simd128"),
    )
)))]
pub(crate) use crate::portable::Portable as Best;
