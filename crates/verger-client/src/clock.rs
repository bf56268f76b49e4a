//! `Clock`: where the time comes from.

use std::time::{SystemTime, UNIX_EPOCH};

use verger_access::Timestamp;

/// Where the time comes from. Yours may stand still, or run as fast as a test likes.
pub trait Clock: Send + Sync {
    /// The time.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    /// A clock that stands before 1970 shows its first second.
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Timestamp::from_unix_seconds(since.map_or(0, |since| since.as_secs()))
    }
}
