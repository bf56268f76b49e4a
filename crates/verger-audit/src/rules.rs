//! Which rules were in force at the time of a request, and what they decide.
//!
//! | module | one line |
//! |---|---|
//! | `period` | the period in which a robots.txt was in force |
//! | `rules_in_force` | the rules of a robots.txt, or the effect of its absence |
//! | `rules_history` | which rules were or may have been in force, and when |
//! | `rules_source` | histories from files or a store |

mod period;
mod rules_history;
mod rules_in_force;
mod rules_source;

pub use period::Period;
pub use rules_history::{Judgement, RulesHistory};
pub use rules_in_force::{RuleLine, RulesInForce};
pub(crate) use rules_source::span_of;
pub use rules_source::{FileRules, RulesSource, StoreRules};
