//! `Known`: the knowledge about an authority.

use std::cmp::Ordering;
use std::sync::Arc;

use url::Url;
use verger_access::{Hop, Knowledge, Outcome, RedirectEnd};
use verger_store::{SnapshotId, StoredState};

use crate::fetch::fetched::Fetched;
use crate::fetch::not_kept::NotKept;

#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) knowledge: Knowledge,
    /// The snapshot that it came from or was put into, if it is in a store.
    pub(crate) snapshot: Option<SnapshotId>,
    pub(crate) not_kept: Option<NotKept>,
    /// The URLs of the requests of the last attempt, and the URL at which an override ended it.
    pub(crate) urls: Vec<Url>,
    /// The fetch that this call made or joined, if any.
    pub(crate) fetched: Option<Arc<Fetched>>,
}

impl From<StoredState> for Known {
    fn from(state: StoredState) -> Self {
        Self {
            snapshot: Some(state.snapshot.id),
            urls: urls(&state.snapshot.hops),
            knowledge: state.knowledge,
            ..Self::default()
        }
    }
}

fn urls(hops: &[Hop]) -> Vec<Url> {
    hops.iter().map(|hop| hop.url.clone()).collect()
}

impl Known {
    pub(crate) fn fetched(knowledge: Knowledge, fetched: Arc<Fetched>) -> Self {
        let mut urls = urls(&fetched.attempt.hops);
        urls.extend(fetched.overridden_at.clone());
        Self {
            knowledge,
            urls,
            fetched: Some(fetched),
            ..Self::default()
        }
    }

    /// Returns `true` if an override ended the last attempt.
    pub(crate) fn is_overridden(&self) -> bool {
        let last = self.knowledge.last;
        last.is_some_and(|last| last.outcome == Outcome::Redirect(RedirectEnd::Overridden))
    }

    /// Uses a stored state that may be valid only for another crawler. Its copy and its count of
    /// consecutive failures matter if the next attempt fails, but the authority must be fetched.
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

    /// Returns `self` or `other`, whichever has the later attempt.
    pub(crate) fn or_newer(self, other: Option<&Self>) -> Self {
        // Both are in the same store, ordered by id.
        if let (Some(own), Some(others)) = (self.snapshot, other.and_then(|it| it.snapshot)) {
            return match other {
                Some(other) if others >= own => other.clone(),
                _ => self,
            };
        }
        let Some(other) = other else {
            return self;
        };
        let last_at = |known: &Self| known.knowledge.last.map(|last| last.at);
        match last_at(other).cmp(&last_at(&self)) {
            Ordering::Less => self,
            // In the same second, or earlier if the clock has gone back, the store may have
            // received a failure or a copy that this refusal does not know about. A refusal changes
            // neither.
            Ordering::Equal | Ordering::Greater
                if self.snapshot.is_some() && other.is_refusal() =>
            {
                let mut known = other.clone();
                known.knowledge = Knowledge {
                    last: other.knowledge.last,
                    ..self.knowledge
                };
                known
            }
            Ordering::Equal | Ordering::Greater => other.clone(),
        }
    }

    /// Returns `true` if the last attempt says nothing about the site.
    fn is_refusal(&self) -> bool {
        let last = self.knowledge.last;
        last.is_some_and(|last| !last.outcome.is_about_the_site())
    }
}

#[cfg(test)]
mod tests {
    use verger_access::{FailureStreak, Jitter, LastAttempt, Timestamp, TransportFailure};

    use super::*;

    fn known(failure: TransportFailure, at: u64, failures: u32) -> Known {
        let at = Timestamp::from_unix_seconds(at);
        let streak = FailureStreak {
            first_at: at,
            failures,
            jitter: Jitter::NONE,
        };
        Known {
            knowledge: Knowledge {
                last: Some(LastAttempt {
                    at,
                    outcome: Outcome::Failed(failure),
                    stated_lifetime: None,
                    retry_after: None,
                }),
                copy: None,
                streak: (failures > 0).then_some(streak),
            },
            ..Known::default()
        }
    }

    #[test]
    fn a_refusal_decides_the_answer_and_keeps_the_failures_that_the_store_got_meanwhile() {
        let of_store = |at| Known {
            snapshot: Some(SnapshotId(1)),
            ..known(TransportFailure::Dns, at, 1)
        };
        let refusal = known(TransportFailure::AddressRefused, 10, 0);
        for (at, is_refused, failures) in [(9, true, 1), (10, true, 1), (11, false, 1)] {
            let newer = of_store(at).or_newer(Some(&refusal));
            let last = newer.knowledge.last.unwrap();
            assert_eq!(!last.outcome.is_about_the_site(), is_refused, "{at}");
            let streak = newer.knowledge.streak;
            assert_eq!(streak.map_or(0, |streak| streak.failures), failures, "{at}");
        }
    }
}
