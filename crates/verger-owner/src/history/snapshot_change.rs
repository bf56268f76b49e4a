use std::fmt;

use verger_access::{Outcome, Reply};
use verger_answer::LineChanges;
use verger_store::SnapshotId;

/// The change from one snapshot to the next. `Display` describes it.
#[derive(Debug)]
#[non_exhaustive]
pub struct SnapshotChange {
    /// The previous snapshot, if any.
    pub since: Option<SnapshotId>,
    /// Previous and new outcome, if they differ.
    pub outcome: Option<(Outcome, Outcome)>,
    /// Previous and new URL of the body, if they differ.
    pub url: Option<(String, String)>,
    /// The change of the body.
    pub body: BodyChange,
}

/// The change of a body since the last known one.
#[derive(Debug)]
pub enum BodyChange {
    /// Nothing new.
    None,
    /// This is the first known body.
    First,
    /// The server sent the same body again.
    Same,
    /// The server confirmed that the body has not changed.
    Renewed,
    /// Some lines changed.
    Lines(LineChanges),
    /// The bytes changed, but the store has since deleted a body.
    Lost,
}

impl BodyChange {
    /// Returns the code: `none`, `first`, `same`, `renewed` or `changed`.
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

    /// Returns the changed lines if two bodies were compared.
    #[must_use]
    pub fn lines(&self) -> Option<&LineChanges> {
        match self {
            Self::Lines(changes) => Some(changes),
            Self::None | Self::First | Self::Same | Self::Renewed | Self::Lost => None,
        }
    }
}

/// Returns both outcomes if they differ in more than whether the body was sent again.
pub(crate) fn outcome_change(before: Outcome, now: Outcome) -> Option<(Outcome, Outcome)> {
    let is_renewal = match (before, now) {
        (Outcome::Successful(before), Outcome::Successful(now))
        | (Outcome::Illegible(before, _), Outcome::Illegible(now, _)) => {
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
