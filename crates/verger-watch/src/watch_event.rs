use std::fmt;

use serde::{Serialize, Serializer};
use verger_access::{Authority, Stance, Timestamp};
use verger_answer::text::legible;
use verger_owner::{ChangeLine, FileComparison, change_lines, first_names, shown_names};

use crate::event_reason::{EventReason, ReasonKind};
use crate::event_severity::EventSeverity;

const SCHEMA: &str = "verger.watch/1";

/// Maximum number of changes in the text of an event.
const CHANGES_MAX: usize = 10;

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
    /// Claims about the served file fail, or other ones than before.
    ClaimsFail,
    /// All claims hold again.
    ClaimsHold,
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
    /// Why it is more than a notice, the most severe reasons first.
    pub reasons: &'e [EventReason],
}

impl WatchEvent<'_> {
    /// Returns the severity, which is that of the most severe reason. The end of a difference or of
    /// failing claims is as severe as its begin, for the same receivers.
    #[must_use]
    pub fn severity(&self) -> EventSeverity {
        let ended = match self.kind {
            WatchEventKind::AgreesWithFile => Some(ReasonKind::DiffersFromFile),
            WatchEventKind::ClaimsHold => Some(ReasonKind::ClaimFails),
            _ => None,
        };
        let kinds = self.reasons.iter().map(|it| it.kind).chain(ended);
        kinds.map(ReasonKind::severity).max().unwrap_or_default()
    }
}

impl WatchEventKind {
    /// Says what happened, after the name of the site: `changed`.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::DiffersFromFile => "differs from the file",
            Self::AgreesWithFile => "agrees with the file again",
            Self::ClaimsFail => "fails claims",
            Self::ClaimsHold => "fulfils all claims again",
        }
    }
}

/// Says in a few lines what happened, without control characters.
impl fmt::Display for WatchEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (site, what) = (self.site, self.kind.in_words());
        write!(f, "{site} {what}: {}", self.severity())?;
        for reason in self.reasons {
            write!(f, "\n  {reason}")?;
        }
        let changes = self.comparison.map(FileComparison::changes);
        let changes = changes.unwrap_or_default();
        for change in changes.iter().take(CHANGES_MAX) {
            let names = first_names(&shown_names(change.crawlers()));
            let difference = change.difference();
            for (word, found) in [
                ("disallowed", difference.newly_disallowed()),
                ("allowed", difference.newly_allowed()),
            ] {
                if let Some(witness) = found.witness() {
                    let url = witness.url(&site.to_string());
                    let url = legible(url.as_bytes());
                    write!(f, "\n  {names}: newly {word}: {url}")?;
                }
            }
        }
        match changes.len().saturating_sub(CHANGES_MAX) {
            0 => Ok(()),
            more => write!(f, "\n  … and {more} more"),
        }
    }
}

#[derive(Serialize)]
struct EventLine<'e> {
    schema: &'static str,
    id: &'e str,
    event: WatchEventKind,
    severity: EventSeverity,
    reasons: &'e [EventReason],
    /// The event in words.
    text: String,
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
            severity: self.severity(),
            reasons: self.reasons,
            text: self.to_string(),
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
