//! `StandingSource`: where standings come from.

use std::sync::Arc;

use verger_access::Timestamp;

use super::known_standing::Standing;

/// The time that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// The time of the newest knowledge about the authority.
    Newest,
    /// A time.
    At(Timestamp),
}

/// A source of standings. Threads share it.
pub trait StandingSource: Sync {
    /// Returns the rules of an authority at a time, or the result of their absence.
    fn standing(&self, authority: &str, when: When) -> Arc<Standing>;

    /// Returns the standing of all authorities at all times, where there is one for all.
    fn of_all(&self) -> Option<Arc<Standing>> {
        None
    }

    /// The name of the profile that decides; `None` where no server's answers are known.
    fn profile(&self) -> Option<&str>;
}
