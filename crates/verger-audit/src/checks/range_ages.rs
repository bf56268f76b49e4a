use std::fmt;

use verger_access::Timestamp;
use verger_answer::CountOf;
use verger_answer::text::day_text;

use super::range_files::urls_by_name;
use crate::identity::{EVIDENCE_HOLDS, RequestChecks};

/// When address range documents were read.
#[derive(Clone, Debug, Default)]
pub struct RangeAges {
    documents: Vec<Vec<Timestamp>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OldRanges {
    old: usize,
    all: u64,
    last: Timestamp,
}

impl RangeAges {
    pub(crate) fn of(checks: &RequestChecks) -> Self {
        let urls = urls_by_name().into_values();
        let times = urls.map(|url| checks.read_times(url).collect::<Vec<_>>());
        let documents = times.filter(|times| !times.is_empty()).collect();
        Self { documents }
    }

    /// Returns the number of documents. Several versions of a document count once.
    #[must_use]
    pub fn documents(&self) -> u64 {
        u64::try_from(self.documents.len()).unwrap_or(u64::MAX)
    }

    /// Returns when the oldest and the newest version were read.
    #[must_use]
    pub fn span(&self) -> Option<(Timestamp, Timestamp)> {
        let times = || self.documents.iter().flatten().copied();
        times().min().zip(times().max())
    }

    /// Describes the number of documents and when they were read, or returns `None` if there are
    /// none.
    #[must_use]
    pub fn in_words(&self) -> Option<String> {
        let (oldest, newest) = self.span()?;
        let (oldest, newest) = (day_text(oldest), day_text(newest));
        let documents = CountOf(self.documents(), "document", "documents");
        Some(if oldest == newest {
            format!("{documents} of address ranges, read {newest}")
        } else {
            format!("{documents} of address ranges, read {oldest} to {newest}")
        })
    }

    /// Returns documents without a version read within 30 days of the last request, or `None`.
    pub(crate) fn too_old_at(&self, last: Timestamp) -> Option<OldRanges> {
        let is_near = |read: &Timestamp| last.since(*read).max(read.since(last)) <= EVIDENCE_HOLDS;
        let documents = self.documents.iter();
        let old = documents.filter(|times| !times.iter().any(is_near)).count();
        let all = self.documents();
        (old > 0).then_some(OldRanges { old, all, last })
    }
}

impl fmt::Display for OldRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (were, they_show, them) = match self.old {
            1 => ("was", "it shows", "it"),
            _ => ("were", "they show", "them"),
        };
        write!(
            f,
            "{} of {} of address ranges {were} not read within 30 days of the last request ({}), so {they_show} no impostors: fetch {them} with `verger audit --update-checks`",
            self.old,
            CountOf(self.all, "document", "documents"),
            day_text(self.last)
        )
    }
}
