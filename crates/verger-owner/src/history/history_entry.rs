use std::ops::Range;
use std::time::{Duration, Instant};

use verger_access::{Authority, Outcome, Reply, Timestamp};
use verger_answer::LineChanges;
use verger_store::{
    Before, BodyHash, PackedFacts, ReadFacts, Snapshot, Store, StoreError, each_change,
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
    each_change(store, site, during, facts, |snapshot, before, facts| {
        let mut entry = HistoryEntry::new(snapshot.clone(), before, store)?;
        entry.facts = facts.cloned();
        visit(&entry)
    })
}

impl HistoryEntry {
    fn new(
        snapshot: Snapshot,
        before: Option<&Before>,
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
}

fn body_change(
    snapshot: &Snapshot,
    before: Option<&Before>,
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
