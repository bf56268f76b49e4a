use serde::{Serialize, Serializer};
use verger_access::{Authority, Stance, Timestamp};

use verger_owner::FileComparison;
use verger_owner::{ChangeLine, change_lines};

const SCHEMA: &str = "verger.watch/1";

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WatchEventKind {
    /// The meaning of the site's file changed, or the file became unreadable or readable again.
    Changed,
    /// The meaning of the served file started to differ from that of the local file.
    DiffersFromFile,
    /// The served file means the same as the local file again.
    AgreesWithFile,
}

/// A change of a site (`verger.watch/1` in `docs/json.md`).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WatchEvent<'e> {
    /// The id, which stays the same on redelivery. A change back has a new one.
    pub id: String,
    /// The kind of the event.
    pub kind: WatchEventKind,
    /// When the fetch saw the change. It is later if a later fetch leads to another delivery.
    pub time: Timestamp,
    /// The site.
    pub site: &'e Authority,
    /// The stances before and after.
    pub stances: [Option<Stance>; 2],
    /// Description of the fetch outcome.
    pub outcome: &'e str,
    /// The comparison of the previous rules, or those of the file, with the new ones. `None` if one
    /// side has no rules.
    pub comparison: Option<&'e FileComparison<'e>>,
}

#[derive(Serialize)]
struct EventLine<'e> {
    schema: &'static str,
    id: &'e str,
    event: WatchEventKind,
    time: Timestamp,
    site: String,
    stance_before: Option<&'static str>,
    stance_after: Option<&'static str>,
    outcome: &'e str,
    /// Whether both mean the same to every crawler. Null if undecided or if one side has no rules.
    same: Option<bool>,
    changes: Vec<ChangeLine<'e>>,
}

impl Serialize for WatchEvent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [before, after] = self.stances.map(|stance| stance.map(Stance::as_str));
        let line = EventLine {
            schema: SCHEMA,
            id: &self.id,
            event: self.kind,
            time: self.time,
            site: self.site.to_string(),
            stance_before: before,
            stance_after: after,
            outcome: self.outcome,
            same: self.comparison.and_then(FileComparison::is_same),
            changes: self.comparison.map(change_lines).unwrap_or_default(),
        };
        line.serialize(serializer)
    }
}
