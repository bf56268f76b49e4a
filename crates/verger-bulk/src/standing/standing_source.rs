use std::sync::Arc;

use verger_access::Timestamp;

use super::known_standing::Standing;

/// The time of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// The time of the newest knowledge about the authority.
    Newest,
    /// The given time.
    At(Timestamp),
}

/// A source of standings. Threads share it.
pub trait StandingSource: Sync {
    /// Returns the rules of an authority at a time, or the effect of their absence.
    fn standing(&self, authority: &str, when: When) -> Arc<Standing>;

    /// Returns the standing of all authorities at all times, if there is only one.
    fn of_all(&self) -> Option<Arc<Standing>> {
        None
    }

    /// Returns the profile that decides, or `None` if server responses are unknown.
    fn profile(&self) -> Option<&str>;
}
