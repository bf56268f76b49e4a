//! The scenario files under `testdata/access/`: what servers say at which time, and what is to be
//! made of it.
//!
//! | table | what it states |
//! |---|---|
//! | `[[scenario]]` | moments in order: what the web says then, and the answer of each profile |
//! | `[[location]]` | where the robots.txt of a URL is, and to which URLs it applies |
//! | `[[user_agent]]` | which warnings the `User-Agent` of a crawler gets |
//!
//! Every table has an `id` that is unique over all files and the `clauses` that it rests on.
//!
//! | module | one line |
//! |---|---|
//! | `seconds` | times such as `30d-1s` |
//! | `reply` | what a server says, in short (`"301 /x"`, `"timeout"`) or as a table |
//! | `expected` | an answer in short: `"open unavailable; ask 24h; by R9309-2.3.1.3-2"` |
//! | `moment` | what servers say from then on, and the answer of each profile |
//! | `corpus` | the tables, typed, and the whole of them |
//! | `load` | all files |

mod corpus;
mod expected;
mod load;
mod moment;
mod profiles;
mod reply;
mod seconds;

pub use corpus::{Location, Scenario, ScenarioCorpus, TIME_ZERO, UserAgent};
pub use expected::ExpectedAnswer;
pub use load::load_scenarios;
pub use moment::{FetchWhen, Moment};
pub use profiles::PROFILES;
pub(crate) use profiles::{by_profile, refuse_unknown};
pub use reply::ServerReply;
pub(crate) use seconds::read_seconds;
