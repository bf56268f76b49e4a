//! The rules of an authority at a time, or the result of their absence.
//!
//! | module | one line |
//! |---|---|
//! | `known_standing` | what is answered about the URLs of an authority |
//! | `standing_source` | where standings come from |
//! | `given_bodies` | bodies that are given without what a server said |
//! | `access_source` | captures, or snapshots of a store, as a profile understands them |
//! | `captured` | what was known from captures at a time |
//! | `stored` | what a store knew at a time |
//! | `store_versions` | what a store knew of each authority, version by version |

mod access_source;
mod captured;
mod given_bodies;
mod known_standing;
mod standing_source;
mod store_versions;
mod stored;

pub use access_source::{AccessSource, KnowledgeSource, KnownAt};
pub use captured::CapturedKnowledge;
pub(crate) use captured::stance_after;
pub use known_standing::{CapturePlace, Standing, StandingRules};
pub use standing_source::{StandingSource, When};
pub use store_versions::{StoreVersions, StoredVersion};
pub use stored::StoredKnowledge;
