use serde::Serialize;
use verger_access::Timestamp;

/// The period in which a robots.txt was in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Period {
    /// When it was first seen. `None` if it was in force from the start or this is unknown.
    #[serde(rename = "in_force_from")]
    pub from: Option<Timestamp>,
    /// When it was first seen to have changed. `None` if it never changed or this is unknown.
    #[serde(rename = "in_force_until")]
    pub until: Option<Timestamp>,
}

impl Period {
    /// `changes` are the times at which a different robots.txt was first seen, in ascending order.
    pub(crate) fn at(time: Timestamp, changes: &[Timestamp]) -> Self {
        let seen = changes.partition_point(|&change| change <= time);
        let from = seen.checked_sub(1).map(|last| changes[last]);
        Self {
            from: from.filter(|from| from.unix_seconds() > 0),
            until: changes.get(seen).copied(),
        }
    }
}
