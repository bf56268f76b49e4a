//! `Known`: what is known about an authority; `Wanted`: how new it must be.

use std::sync::Arc;

use verger_access::{Answer, Knowledge, Outcome, Profile, RedirectEnd, RestOfSite, Timestamp};
use verger_store::{SnapshotId, StoredState};

use crate::fetch::fetched::Fetched;
use crate::fetch::not_kept::NotKept;

/// What is known about one authority.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) knowledge: Knowledge,
    /// The snapshot that it was read from or put into; `None` where it is in no store.
    pub(crate) snapshot: Option<SnapshotId>,
    /// Why it is in no store.
    pub(crate) not_kept: Option<NotKept>,
    /// The fetch that found it out, where there was one just now.
    pub(crate) fetched: Option<Arc<Fetched>>,
}

impl From<Option<StoredState>> for Known {
    fn from(standing: Option<StoredState>) -> Self {
        standing.map_or_else(Self::default, |standing| Self {
            knowledge: standing.knowledge,
            snapshot: Some(standing.snapshot.id),
            not_kept: None,
            fetched: None,
        })
    }
}

impl Known {
    pub(crate) fn answer(&self, profile: &Profile, now: Timestamp, rest: RestOfSite) -> Answer {
        self.knowledge.answer(profile, now, rest)
    }

    /// Whether the fetch ended since a URL on the way is disallowed to the crawler that it was for;
    /// for another one it would have gone on.
    pub(crate) fn is_of_crawler(&self) -> bool {
        let disallowed_hop = Outcome::Redirect(RedirectEnd::DisallowedHop);
        (self.knowledge.last).is_some_and(|last| last.outcome == disallowed_hop)
    }

    /// This or `other`, whichever rests on the later attempt.
    pub(crate) fn or_newer(self, other: Option<&Self>) -> Self {
        // Snapshots of one store have numbers.
        if let (Some(own), Some(others)) = (self.snapshot, other.and_then(|it| it.snapshot)) {
            return match other {
                Some(other) if others >= own => other.clone(),
                _ => self,
            };
        }
        let last_at = |known: &Self| known.knowledge.last.map(|last| last.at);
        match other {
            Some(other) if last_at(other) >= last_at(&self) => other.clone(),
            _ => self,
        }
    }
}

/// How new what is known must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Not due to be asked for again.
    Fresh,
    /// Other than this snapshot, or not known yet.
    Newer(Option<SnapshotId>),
    /// Fetched by an attempt that begins after the call.
    Now,
}

impl Wanted {
    /// Whether `known` will do.
    pub(crate) fn is_met(self, known: &Known, profile: &Profile, now: Timestamp) -> bool {
        let is_fresh = || {
            let answer = known.answer(profile, now, RestOfSite::default());
            !answer.is_due(now)
        };
        match self {
            Self::Fresh => is_fresh(),
            Self::Newer(than) => known.snapshot != than && is_fresh(),
            Self::Now => false,
        }
    }

    /// Whether a fetch that began for `other` will do.
    pub(crate) fn is_met_by(self, other: Self) -> bool {
        match self {
            Self::Fresh | Self::Newer(_) => true,
            Self::Now => other == Self::Now,
        }
    }
}
