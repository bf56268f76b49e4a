//! The file `testdata/origin.toml`: how the hostile origin behaves, and what each profile is to
//! make of it.
//!
//! A table `[[behaviour]]` has a `name`, the `scheme` of its URL, what it `does` in one sentence,
//! the `clauses` that it rests on, what happens on the `wire`, the `outcomes` that a crawler may
//! report, and its answer as in the scenario files: `all`, and one key for each profile that
//! differs. The fetch is at time zero.
//!
//! | key | when |
//! |---|---|
//! | `other_outcomes` | a profile acts otherwise, such as following one redirect more |
//! | `lifetime`, `retry_after` | the last reply states one |
//! | `tolerance` | by how much the time to ask again may differ, where a clock takes part |
//! | `note` | something else that testers of a crawler should know |
//!
//! | module | one line |
//! |---|---|
//! | `shapes` | the tables as TOML spells them |
//! | `behaviour` | the same, typed |
//! | `load` | the whole file, naming the behaviour of whatever is wrong |

mod behaviour;
mod load;
mod shapes;

pub use behaviour::{Behaviour, Expectation, UrlScheme, Wire};
pub use load::{bundled_behaviours, read_behaviours};
