//! `HistoryEntry`: one snapshot, and what changed with it.

use std::io;
use std::time::{Duration, Instant};

use verger_access::{Authority, Outcome, Reply, Timestamp};
use verger_answer::LineChanges;
use verger_store::{BodyDigest, BodyHash, Snapshot, Store, StoreError};

use super::change::{BodyChange, Change, outcome_change};

/// A comparison of two bodies ends after this time.
const COMPARISON_MAX: Duration = Duration::from_secs(2);

/// One snapshot, and what changed with it.
pub(super) struct HistoryEntry {
    pub(super) snapshot: Snapshot,
    pub(super) change: Change,
}

/// What the next snapshot is compared with.
pub(super) struct End {
    snapshot: Snapshot,
    /// The last body that was seen.
    body: Option<BodyDigest>,
}

/// Writes a history, in one format.
pub(super) trait Rendering {
    fn entry(&mut self, entry: &HistoryEntry) -> io::Result<()>;

    /// Writes out what is buffered.
    fn flush(&mut self) -> io::Result<()>;
}

impl End {
    /// What the first snapshot from `since` on is compared with.
    pub(super) fn before(
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
    pub(super) fn new(
        snapshot: Snapshot,
        before: Option<&End>,
        store: &dyn Store,
    ) -> Result<Self, StoreError> {
        let change = Change {
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
        Ok(Self { snapshot, change })
    }

    /// What the next snapshot is compared with, where this one was with `before`.
    pub(super) fn end(self, before: Option<End>) -> End {
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
            Outcome::Successful(reply) | Outcome::SuccessfulPage(reply) if reply == renewed
        );
        return Ok(if is_renewed {
            BodyChange::Renewed
        } else {
            BodyChange::Same
        });
    }
    let octets = |hash: BodyHash| store.body(hash);
    Ok(match (octets(before.hash)?, octets(now.hash)?) {
        (Some(before), Some(now)) => {
            let deadline = Instant::now() + COMPARISON_MAX;
            BodyChange::Lines(LineChanges::between(before, now, Some(deadline)))
        }
        _ => BodyChange::Lost,
    })
}
