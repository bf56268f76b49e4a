//! The rules of an authority at a time, or the effect of their absence.
//!
//! | module | one line |
//! |---|---|
//! | `known_standing` | the answer for the URLs of an authority |
//! | `standing_source` | supplies standings |
//! | `given_bodies` | bodies without server responses |
//! | `access_source` | captures or store snapshots, interpreted by a profile |
//! | `captured` | the knowledge from captures at a time |
//! | `stored` | the knowledge of a store at a time |
//! | `store_versions` | each authority of a store, version by version |

mod access_source;
mod captured;
mod given_bodies;
mod known_standing;
mod standing_source;
mod store_versions;
mod stored;

pub use access_source::{AccessSource, CaptureEvidence, KnowledgeSource, KnownAt};
pub use captured::CapturedKnowledge;
pub(crate) use captured::stance_after;
pub use known_standing::{CapturePlace, Standing};
pub use standing_source::{StandingSource, When};
pub use store_versions::StoreVersions;
pub use stored::StoredKnowledge;
pub(crate) use stored::micros;
