//! `InForce`: since when and until when a robots.txt was in force.

use serde::Serialize;
use verger_access::Timestamp;

/// Since when and until when a robots.txt was in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct InForce {
    /// When it was seen first; `None` where it is in force from the beginning, or that is not known.
    #[serde(rename = "in_force_from")]
    pub from: Option<Timestamp>,
    /// When something else was seen first; `None` where nothing else was, or that is not known.
    #[serde(rename = "in_force_until")]
    pub until: Option<Timestamp>,
}

impl InForce {
    /// What was in force at a time, where something else than before was seen first at each of `changes`, the
    /// earliest first.
    pub(crate) fn at(time: Timestamp, changes: &[Timestamp]) -> Self {
        let seen = changes.partition_point(|&change| change <= time);
        let from = seen.checked_sub(1).map(|last| changes[last]);
        Self {
            from: from.filter(|from| from.unix_seconds() > 0),
            until: changes.get(seen).copied(),
        }
    }
}
