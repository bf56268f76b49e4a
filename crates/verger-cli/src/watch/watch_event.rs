//! `WatchEvent`: one change, for people and as JSON.

use std::io::{self, Write};

use serde::Serialize;
use verger_access::{Authority, Stance, Timestamp};
use verger_owner::FileComparison;
use verger_store::time_text;

use crate::diff;
use crate::palette::{DOUBTFUL, HEADING};

const SCHEMA: &str = "verger.watch/1";

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WatchEventKind {
    /// What the site says means something else than before, or it cannot be read any more, or again.
    Changed,
    /// What is served has begun to mean something else than the file.
    DiffersFromFile,
    /// What is served means the same as the file again.
    AgreesWithFile,
}

/// One change.
pub(super) struct WatchEvent<'e> {
    pub(super) kind: WatchEventKind,
    pub(super) time: Timestamp,
    pub(super) site: &'e Authority,
    /// What followed before and after.
    pub(super) stances: [Option<Stance>; 2],
    /// What became of the fetch.
    pub(super) outcome: String,
    /// The rules before, or of the file, and after; `None` where one of them has none.
    pub(super) comparison: Option<&'e FileComparison<'e>>,
}

#[derive(Serialize)]
struct EventLine<'e, C: Serialize> {
    schema: &'static str,
    event: WatchEventKind,
    time: String,
    site: String,
    stance_before: Option<&'static str>,
    stance_after: Option<&'static str>,
    outcome: &'e str,
    /// Whether both mean the same to every crawler; null where it is not decided, or there are no
    /// rules on one side.
    same: Option<bool>,
    changes: Vec<C>,
}

impl WatchEvent<'_> {
    /// The event as a line of JSON.
    pub(super) fn to_json(&self) -> io::Result<String> {
        let [before, after] = self.stances.map(|stance| stance.map(Stance::as_str));
        let changes = self.comparison.map(diff::change_lines).unwrap_or_default();
        let line = EventLine {
            schema: SCHEMA,
            event: self.kind,
            time: time_text(self.time),
            site: self.site.to_string(),
            stance_before: before,
            stance_after: after,
            outcome: &self.outcome,
            same: self.comparison.and_then(FileComparison::is_same),
            changes,
        };
        Ok(serde_json::to_string(&line)? + "\n")
    }

    /// Writes it for people.
    pub(super) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let what = match self.kind {
            WatchEventKind::Changed => "changed",
            WatchEventKind::DiffersFromFile => "differs from the file",
            WatchEventKind::AgreesWithFile => "agrees with the file again",
        };
        let time = time_text(self.time);
        writeln!(output, "{HEADING}{time}  {}{HEADING:#}  {what}", self.site)?;
        let [before, after] = self.stances;
        if self.kind == WatchEventKind::Changed && before != after {
            let text = |stance: Option<Stance>| stance.map_or("nothing known", meaning);
            writeln!(
                output,
                "  {DOUBTFUL}{}{DOUBTFUL:#}, before: {} ({})",
                text(after),
                text(before),
                self.outcome,
            )?;
        }
        match self.comparison {
            Some(comparison) if comparison.is_same() != Some(true) => {
                diff::write_comparison(output, comparison)
            }
            _ => Ok(()),
        }
    }
}

fn meaning(stance: Stance) -> &'static str {
    match stance {
        Stance::Rules => "its rules decide",
        Stance::Open => "everything is allowed",
        Stance::Closed => "everything is disallowed",
        Stance::Copy => "the rules of the last good copy decide",
        Stance::Defer => "everything is disallowed for now",
    }
}
