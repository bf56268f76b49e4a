//! Which rules were in force at the time of a request, and their verdict about it.
//!
//! | module | one line |
//! |---|---|
//! | `in_force` | since when and until when a robots.txt was in force |
//! | `rules_in_force` | what a robots.txt said, or what followed from its absence |
//! | `rules_history` | what was in force when, and since when it may have been |
//! | `rules_source` | where histories come from: files, a store |

mod in_force;
mod rules_history;
mod rules_in_force;
mod rules_source;

pub use in_force::InForce;
pub use rules_history::{Judgement, RulesHistory};
pub use rules_in_force::{RuleLine, RulesInForce};
pub(crate) use rules_source::span_of;
pub use rules_source::{FileRules, RulesSource, StoreRules};
