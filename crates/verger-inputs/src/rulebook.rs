//! Answers for many URLs and the bodies of their authorities: rules for several crawlers, and
//! caches.

mod bounded_cache;
mod file_cache;
mod found;
mod rule_text;
mod rules;
mod url_authority;

pub use bounded_cache::{BYTES_DEFAULT, BoundedCache};
pub use file_cache::{CachedFile, FileCache};
pub use found::{Found, FoundCache};
pub use rule_text::write_rule;
pub use rules::{Keeping, Permission, Rules, RulesMaker};
pub use url_authority::{Compared, NoAuthority, UrlAuthority, authority_of, named_authority};
