use std::ops::Range;
use std::time::{Duration, Instant};

use verger_access::{Authority, Outcome, Reply, Timestamp};
use verger_answer::LineChanges;
use verger_store::{
    BodyDigest, BodyHash, PackedFacts, ReadFacts, Snapshot, Store, StoreError, each_snapshot,
};

use crate::history::snapshot_change::{BodyChange, SnapshotChange, outcome_change};

/// Maximum time to compare two bodies.
const COMPARISON_MAX: Duration = Duration::from_secs(2);

/// A snapshot and its change from the previous one.
#[derive(Debug)]
#[non_exhaustive]
pub struct HistoryEntry {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// The change since the previous snapshot.
    pub change: SnapshotChange,
    /// Extra facts about its hops, or `None` if they were not requested or are unknown.
    pub facts: Option<PackedFacts>,
}

/// Calls `visit` with each snapshot of a site in a time range, oldest first. Reads hop facts if
/// `facts` asks for them.
///
/// Comparing two bodies stops after two seconds. The rest then counts as replaced.
///
/// # Errors
///
/// Returns an error if the store or `visit` fails.
pub fn each_history_entry<E: From<StoreError>>(
    store: &dyn Store,
    site: &Authority,
    during: Range<Timestamp>,
    facts: ReadFacts,
    mut visit: impl FnMut(&HistoryEntry) -> Result<(), E>,
) -> Result<(), E> {
    let mut before = End::before(during.start, site, store)?;
    each_snapshot(store, site, during, facts, |snapshot, facts| {
        let mut entry = HistoryEntry::new(snapshot.clone(), before.as_ref(), store)?;
        entry.facts = facts.cloned();
        visit(&entry)?;
        before = Some(entry.end(before.take()));
        Ok(())
    })
}

/// The state that the next snapshot is compared with.
struct End {
    snapshot: Snapshot,
    /// The last known body.
    body: Option<BodyDigest>,
}

impl End {
    /// Returns the state before `since`.
    fn before(
        since: Timestamp,
        site: &Authority,
        store: &dyn Store,
    ) -> Result<Option<Self>, StoreError> {
        let Some(second_before) = since.unix_seconds().checked_sub(1) else {
            return Ok(None);
        };
        let at = Timestamp::from_unix_seconds(second_before);
        let standing = store.state_at(site, at)?;
        Ok(standing.map(|standing| {
            let snapshot = standing.snapshot;
            let copy = snapshot.copy.as_ref().map(|copy| copy.body);
            let body = snapshot.body.or(copy);
            Self { snapshot, body }
        }))
    }
}

impl HistoryEntry {
    fn new(
        snapshot: Snapshot,
        before: Option<&End>,
        store: &dyn Store,
    ) -> Result<Self, StoreError> {
        let change = SnapshotChange {
            since: before.map(|before| before.snapshot.id),
            outcome: before.and_then(|before| {
                outcome_change(before.snapshot.attempt.outcome, snapshot.attempt.outcome)
            }),
            url: before.and_then(|before| {
                let found = [&before.snapshot, &snapshot].map(|it| {
                    let hop = it.body.and_then(|_| it.hops.last());
                    hop.map(|hop| hop.url.to_string())
                });
                let [Some(before), Some(now)] = found else {
                    return None;
                };
                (before != now).then_some((before, now))
            }),
            body: body_change(&snapshot, before, store)?,
        };
        Ok(Self {
            snapshot,
            change,
            facts: None,
        })
    }

    fn end(self, before: Option<End>) -> End {
        let body = self.snapshot.body;
        End {
            body: body.or_else(|| before?.body),
            snapshot: self.snapshot,
        }
    }
}

fn body_change(
    snapshot: &Snapshot,
    before: Option<&End>,
    store: &dyn Store,
) -> Result<BodyChange, StoreError> {
    let Some(now) = snapshot.body else {
        return Ok(BodyChange::None);
    };
    let Some(before) = before.and_then(|before| before.body) else {
        return Ok(BodyChange::First);
    };
    if now.hash == before.hash {
        let renewed = Reply::Http(304);
        let is_renewed = matches!(
            snapshot.attempt.outcome,
            Outcome::Successful(reply) | Outcome::Illegible(reply, _) if reply == renewed
        );
        return Ok(if is_renewed {
            BodyChange::Renewed
        } else {
            BodyChange::Same
        });
    }
    let bytes = |hash: BodyHash| store.body(hash);
    Ok(match (bytes(before.hash)?, bytes(now.hash)?) {
        (Some(before), Some(now)) => {
            let deadline = Instant::now() + COMPARISON_MAX;
            BodyChange::Lines(LineChanges::between(before, now, Some(deadline)))
        }
        _ => BodyChange::Lost,
    })
}
