//! The scenario files under `testdata/access/`: the replies of servers over time, and the expected
//! answers.
//!
//! | table | content |
//! |---|---|
//! | `[[scenario]]` | moments in order: the replies from then on, and the answer of each profile |
//! | `[[location]]` | where the robots.txt of a URL is, and to which URLs it applies |
//! | `[[user_agent]]` | the warnings about a crawler's `User-Agent` |
//!
//! Every table has an `id` that is unique over all files, and the `clauses` it rests on. Examples are
//! `30d-1s` for times, `"301 /x"` for replies, and for answers
//! `"open unavailable; ask 24h; by R9309-2.3.1.3-2"`.

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
