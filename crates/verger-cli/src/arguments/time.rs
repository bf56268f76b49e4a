//! A time as an argument, read by the clock.

use std::time::SystemTime;

use verger_access::Timestamp;
use verger_store::{WrittenTimeError, past_time_written, time_written};

/// Reads a time that is not in the future.
///
/// # Errors
///
/// Where the text is no time, or one before 1970 or in the future.
pub(crate) fn past_time(text: &str) -> Result<Timestamp, WrittenTimeError> {
    past_time_written(text, now())
}

/// Reads a time.
///
/// # Errors
///
/// Where the text is no time, or one before 1970.
pub(crate) fn any_time(text: &str) -> Result<Timestamp, WrittenTimeError> {
    time_written(text, now())
}

/// The time; the beginning of 1970 where the clock is set to a time before.
pub(crate) fn now() -> Timestamp {
    SystemTime::now().into()
}
