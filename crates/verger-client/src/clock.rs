//! `Clock`: the source of the time.

use std::time::SystemTime;

use verger_access::Timestamp;

/// The source of the time. A test may implement it with any time.
pub trait Clock: Send + Sync {
    /// Returns the time.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    /// Returns the time; the beginning of 1970 where the clock is set to a time before.
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }
}
