use std::time::SystemTime;

use verger_access::Timestamp;
use verger_store::{WrittenTimeError, past_time_written, time_written};

/// Rejects times in the future and before 1970.
pub(crate) fn past_time(text: &str) -> Result<Timestamp, WrittenTimeError> {
    past_time_written(text, now())
}

/// Rejects times before 1970.
pub(crate) fn any_time(text: &str) -> Result<Timestamp, WrittenTimeError> {
    time_written(text, now())
}

/// Returns the current time, or the start of 1970 if the clock is set to an earlier time.
pub(crate) fn now() -> Timestamp {
    SystemTime::now().into()
}

/// Returns the words for a range that is limited.
pub(crate) fn at_that_time(limits: [Option<Timestamp>; 2]) -> &'static str {
    match limits {
        [None, None] => "",
        _ => " at that time",
    }
}
