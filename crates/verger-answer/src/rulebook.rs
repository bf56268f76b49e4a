//! Many URLs and the bodies that apply to them: authorities, rules for several crawlers, a cache of them
//! (feature `rulebook`).
//!
//! | module | one line |
//! |---|---|
//! | `url_authority` | the authority of each of many URLs, quickly |
//! | `rules` | the rules of a body for several crawlers |
//! | `bounded_cache` | values by key, in bounded memory |
//! | `file_cache` | parsed files of authorities, in such a cache |
//! | `found` | what was found for each authority, in such a cache |
//! | `rule_text` | a rule as columns show it |

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
