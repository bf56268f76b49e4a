use std::time::SystemTime;

use verger_access::Timestamp;

/// The source of the time. Tests can implement it with any time.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    /// Returns the current time, or the start of 1970 if the clock is set to an earlier time.
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }
}
