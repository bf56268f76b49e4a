//! Replaces the crate `idna` for `url`, without its Unicode tables, which would be a tenth of the
//! module. The platform has them.
//!
//! A host that is not plain ASCII must be provided through [`know`]. A missing one is recorded in
//! [`wanted`], so the caller can convert it with the platform's functions and repeat its call.

mod hosts;

pub use hosts::{AsciiDenyList, Errors, domain_to_ascii_from_cow, domain_to_unicode, know, wanted};
