//! `WatchEvent`: one change, with its JSON: `verger.watch/1` in `docs/json.md`.

use serde::{Serialize, Serializer};
use verger_access::{Authority, Stance, Timestamp};

use crate::change_lines::{ChangeLine, change_lines};
use crate::file_comparison::FileComparison;

const SCHEMA: &str = "verger.watch/1";

/// The kind of the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WatchEventKind {
    /// The site's file means something else than the last delivered one, or it cannot be read any more, or again.
    Changed,
    /// The meaning of the served file has begun to differ from that of the local file.
    DiffersFromFile,
    /// The served file means the same as the local file again.
    AgreesWithFile,
}

/// One change, as a receiver gets it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WatchEvent<'e> {
    /// The same each time that the same change is delivered. A change back has another one.
    pub id: String,
    /// The kind of the event.
    pub kind: WatchEventKind,
    /// When the fetch that led to this attempt saw it: later where a later fetch leads to the same change again.
    pub time: Timestamp,
    /// The site.
    pub site: &'e Authority,
    /// The stances before and after.
    pub stances: [Option<Stance>; 2],
    /// The outcome of the fetch in words.
    pub outcome: &'e str,
    /// The rules before, or of the file, and after; `None` where one of them has none.
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
    /// Whether both mean the same to every crawler; null where it is not decided, or there are no
    /// rules on one side.
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
