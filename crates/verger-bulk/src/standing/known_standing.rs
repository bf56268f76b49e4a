use std::ops::Range;
use std::sync::Arc;

use verger_access::{AccessResult, Stance, Timestamp};
use verger_inputs::rulebook::Found;

/// The answer for the URLs of an authority during a period.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Standing {
    /// The period, in seconds since 1970.
    pub during: Range<u64>,
    /// The stance of a profile, or `None` if server responses do not decide or are unknown.
    pub stance: Option<Stance>,
    /// The result of the fetch that decides, if there was one.
    pub result: Option<AccessResult>,
    /// The rules, or the reason for their absence. Those of an empty body if the stance has no
    /// rules.
    pub rules: Arc<Found>,
    /// The capture that decides.
    pub capture: Option<CapturePlace>,
}

/// The place and time of a robots.txt capture.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CapturePlace {
    /// The time, in microseconds since 1970.
    pub time_micros: i64,
    /// The file, or `None` for a store snapshot.
    pub file: Option<String>,
    /// The offset in the file.
    pub offset: Option<i64>,
}

pub(super) const END_OF_TIME: Timestamp = Timestamp::from_unix_seconds(u64::MAX);

impl Standing {
    /// Creates the standing of a body, or of its absence, regardless of server responses.
    pub(super) fn of_body(during: Range<u64>, rules: Arc<Found>) -> Self {
        Self {
            during,
            stance: None,
            result: None,
            rules,
            capture: None,
        }
    }

    pub(super) fn always(rules: Arc<Found>) -> Arc<Self> {
        Arc::new(Self::of_body(0..u64::MAX, rules))
    }
}
