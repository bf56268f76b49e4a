use std::time::{Duration, SystemTime, UNIX_EPOCH};

use verger_access::Timestamp;

/// The source of the time. Tests can implement it with any time.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;

    /// Returns the current time since the start of 1970, which spaces requests. Default: whole seconds.
    fn since_1970(&self) -> Duration {
        Duration::from_secs(self.now().unix_seconds())
    }
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    /// Returns the current time, or the start of 1970 if the clock is set to an earlier time.
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }

    fn since_1970(&self) -> Duration {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.unwrap_or_default()
    }
}
