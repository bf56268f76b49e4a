//! `StandingSource`: where standings come from.

use std::sync::Arc;

use verger_access::Timestamp;

use super::known_standing::Standing;

/// Which time is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// That of the newest that is known of the authority.
    Newest,
    /// A time.
    At(Timestamp),
}

/// Where standings come from. Threads share it.
pub trait StandingSource: Sync {
    /// What stands for an authority at a time.
    fn standing(&self, authority: &str, when: When) -> Arc<Standing>;

    /// What stands for all authorities at all times, if anything does.
    fn of_all(&self) -> Option<Arc<Standing>> {
        None
    }

    /// The name of the profile that decides; `None` where no server's answers are known.
    fn profile(&self) -> Option<&str>;
}
