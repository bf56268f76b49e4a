//! `Standing`: the answer about the URLs of an authority, and for how long.

use std::ops::Range;
use std::sync::Arc;
use verger_answer::ReadError;

use verger_access::{Stance, Timestamp};
use verger_answer::rulebook::Found;

/// The answer about the URLs of an authority during some time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Standing {
    /// During which time it is the answer, in seconds since 1970.
    pub during: Range<u64>,
    /// The rules, or their absence.
    pub rules: StandingRules,
}

/// The rules for the URLs of an authority, or the result of their absence.
#[derive(Clone, Debug)]
pub enum StandingRules {
    /// The rules of a body, whatever the server said; or that there is none.
    Given(Arc<Found>),
    /// The answer of a profile.
    Access {
        /// The stance.
        stance: Stance,
        /// The rules; those of an empty body where the stance has none.
        rules: Arc<Found>,
        /// The capture that decides.
        capture: Option<Arc<CapturePlace>>,
    },
    /// Nothing was known then.
    Unknown,
    /// The known body cannot be read.
    Unreadable(ReadError),
}

/// The place and time of a capture of a robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CapturePlace {
    /// When, in microseconds since 1970.
    pub time_micros: i64,
    /// The file; `None` for a snapshot of a store.
    pub file: Option<String>,
    /// The offset in the file.
    pub offset: Option<i64>,
}

/// The end of all times.
pub(super) const END_OF_TIME: Timestamp = Timestamp::from_unix_seconds(u64::MAX);

/// All times.
pub(super) const ALWAYS: Range<u64> = 0..u64::MAX;

impl Standing {
    /// What is the answer at all times.
    pub(super) fn always(rules: StandingRules) -> Arc<Self> {
        Arc::new(Self {
            during: ALWAYS,
            rules,
        })
    }
}
