//! `SnapshotChange`: what changed from one snapshot to the next.

use std::fmt;

use verger_access::{Outcome, Reply};
use verger_answer::LineChanges;
use verger_store::SnapshotId;

/// The change from one snapshot to the next; `Display` says it in words.
#[derive(Debug)]
#[non_exhaustive]
pub struct SnapshotChange {
    /// The snapshot before; `None` where nothing was seen before.
    pub since: Option<SnapshotId>,
    /// The outcomes of the attempts before and now, where they differ.
    pub outcome: Option<(Outcome, Outcome)>,
    /// The URLs of the body before and now, where they differ.
    pub url: Option<(String, String)>,
    /// The change of the body.
    pub body: BodyChange,
}

/// The change of the body since the last one that was seen.
#[derive(Debug)]
pub enum BodyChange {
    /// There is none.
    None,
    /// No other was seen before.
    First,
    /// It was sent again.
    Same,
    /// The server said that it has not changed.
    Renewed,
    /// It has other lines.
    Lines(LineChanges),
    /// It has other bytes, which the store has deleted since.
    Lost,
}

impl BodyChange {
    /// Returns a short name for programs: `none`, `first`, `same`, `renewed` or `changed`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::First => "first",
            Self::Same => "same",
            Self::Renewed => "renewed",
            Self::Lines(_) | Self::Lost => "changed",
        }
    }

    /// The lines that changed, where two bodies were compared.
    #[must_use]
    pub fn lines(&self) -> Option<&LineChanges> {
        match self {
            Self::Lines(changes) => Some(changes),
            Self::None | Self::First | Self::Same | Self::Renewed | Self::Lost => None,
        }
    }
}

/// The two outcomes, where they differ in more than whether the body was sent again.
pub(crate) fn outcome_change(before: Outcome, now: Outcome) -> Option<(Outcome, Outcome)> {
    let is_renewal = match (before, now) {
        (Outcome::Successful(before), Outcome::Successful(now))
        | (Outcome::SuccessfulPage(before), Outcome::SuccessfulPage(now)) => {
            [before, now].contains(&Reply::Http(304))
        }
        _ => false,
    };
    (before != now && !is_renewal).then_some((before, now))
}

impl fmt::Display for SnapshotChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.since.is_none() {
            parts.push("first".to_owned());
        }
        if let Some((before, now)) = self.outcome {
            parts.push(match (before, now) {
                (
                    Outcome::Successful(Reply::Http(before)) | Outcome::Error(Reply::Http(before)),
                    Outcome::Successful(Reply::Http(now)) | Outcome::Error(Reply::Http(now)),
                ) => format!("status {before} → {now}"),
                _ => format!("{before} → {now}"),
            });
        }
        if let Some((before, now)) = &self.url {
            parts.push(format!("at {before} → {now}"));
        }
        match &self.body {
            BodyChange::None | BodyChange::First => {}
            BodyChange::Same => parts.push("same".to_owned()),
            BodyChange::Renewed => parts.push("renewed".to_owned()),
            BodyChange::Lines(lines) => {
                parts.push(format!("+{} −{} lines", lines.added(), lines.removed()));
            }
            BodyChange::Lost => parts.push("changed".to_owned()),
        }
        if parts.is_empty() {
            parts.push("same".to_owned());
        }
        f.write_str(&parts.join(", "))
    }
}
