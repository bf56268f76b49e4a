//! `Known`: what is known about an authority; `Wanted`: how recent it must be.

use std::sync::Arc;

use verger_access::{Answer, Knowledge, Profile, RestOfSite, Timestamp};
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
    /// The fetch that this call made or joined; `None` where nothing was fetched.
    pub(crate) fetched: Option<Arc<Fetched>>,
}

impl From<StoredState> for Known {
    fn from(state: StoredState) -> Self {
        Self {
            knowledge: state.knowledge,
            snapshot: Some(state.snapshot.id),
            not_kept: None,
            fetched: None,
        }
    }
}

impl Known {
    pub(crate) fn answer(&self, profile: &Profile, now: Timestamp, rest: RestOfSite) -> Answer {
        self.knowledge.answer(profile, now, rest)
    }

    /// A state of the store that may be valid for another crawler only. Its copy and its failures in a
    /// row are used, in case the next attempt fails as well; but the authority has to be fetched.
    pub(crate) fn of_another_crawler(state: StoredState) -> Self {
        let knowledge = Knowledge {
            last: None,
            ..state.knowledge
        };
        Self {
            knowledge,
            ..Self::default()
        }
    }

    /// Returns this or `other`, whichever has the later attempt.
    pub(crate) fn or_newer(self, other: Option<&Self>) -> Self {
        // Both are in the same store, in the order of their ids.
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

/// How recent the knowledge must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Fresh: not due to be fetched again.
    Fresh,
    /// Fresh, and another snapshot than this one.
    Newer(Option<SnapshotId>),
    /// Fetched by an attempt that begins after the call.
    Now,
}

impl Wanted {
    /// Whether `known` is recent enough.
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

    /// Whether a fetch that began for `other` is recent enough.
    pub(crate) fn is_met_by(self, other: Self) -> bool {
        match self {
            Self::Fresh | Self::Newer(_) => true,
            Self::Now => other == Self::Now,
        }
    }
}
