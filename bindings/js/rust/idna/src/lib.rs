//! What `url` takes of the crate `idna`, without its tables of Unicode, which are a tenth of the module: the platform
//! has them. A host that is not plain ASCII is one of [`know`], or is wanted: the caller asks its platform about
//! those of [`wanted`], and asks its question again.

mod hosts;

pub use hosts::{AsciiDenyList, Errors, domain_to_ascii_from_cow, domain_to_unicode, know, wanted};
