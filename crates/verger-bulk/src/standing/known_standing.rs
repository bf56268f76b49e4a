use std::ops::Range;
use std::sync::Arc;
use verger_answer::ReadError;

use verger_access::{AccessResult, Stance, Timestamp};
use verger_inputs::rulebook::Found;

/// The answer for the URLs of an authority during a period.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Standing {
    /// The period, in seconds since 1970.
    pub during: Range<u64>,
    /// The rules, or their absence.
    pub rules: StandingRules,
}

/// The rules for the URLs of an authority, or the effect of their absence.
#[derive(Clone, Debug)]
pub enum StandingRules {
    /// The rules of a given body, or its absence, regardless of server responses.
    Given(Arc<Found>),
    /// The answer of a profile.
    Access {
        /// The stance.
        stance: Stance,
        /// The result of the fetch that decides, if there was one.
        result: Option<AccessResult>,
        /// The rules. Those of an empty body if the stance has no rules.
        rules: Arc<Found>,
        /// The capture that decides.
        capture: Option<Arc<CapturePlace>>,
    },
    /// Nothing was known at that time.
    Unknown,
    /// The known body cannot be read.
    Unreadable(ReadError),
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

pub(super) const ALWAYS: Range<u64> = 0..u64::MAX;

impl Standing {
    pub(super) fn always(rules: StandingRules) -> Arc<Self> {
        Arc::new(Self {
            during: ALWAYS,
            rules,
        })
    }
}
