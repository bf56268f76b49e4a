//! The file `testdata/origin.toml`: how the hostile origin behaves, and how each profile should
//! react.
//!
//! A table `[[behaviour]]` has a `name`, the `scheme` of its URL, what it `does` in one sentence,
//! the `clauses` it rests on, what happens on the `wire`, the `outcomes` that a crawler may report,
//! and its answer as in the scenario files: `all`, and one key for each profile that differs. The
//! fetch is at time zero.
//!
//! | key | when |
//! |---|---|
//! | `other_outcomes` | a profile acts differently, for example follows one redirect more |
//! | `lifetime`, `retry_after` | the last reply states one |
//! | `tolerance` | by how much the time of the next fetch may differ if a clock is involved |
//! | `note` | other facts for testers of a crawler |
//!
//! Module `shapes` has the tables as TOML spells them, `behaviour` the typed form, and `load` the
//! loader.

mod behaviour;
mod load;
mod shapes;

pub use behaviour::{Behaviour, Expectation, UrlScheme, Wire};
pub use load::{bundled_behaviours, read_behaviours};
