//! The time, read in one place.

use std::time::SystemTime;

use verger_access::Timestamp;

/// The time of the system's clock; one that is set before 1970 counts as 1970.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Timestamp::from_unix_seconds(since.unwrap_or_default().as_secs())
}
