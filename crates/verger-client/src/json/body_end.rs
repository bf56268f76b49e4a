//! Whether the body that was found for an authority is all that its server has.

use verger::limits::BODY_BYTES_MAX;
use verger_access::{Authority, BodyEnd, Outcome, Reply, Warning};
use verger_answer::AuthorityState;
use verger_store::{SnapshotId, Store};

use crate::answers::client::FetchReport;

/// A shorter body counts as whole, so that the history of ordinary ones is not read: it would have been
/// cut within a line of more than a quarter of a megabyte.
const LOOKED_AT_BYTES: usize = BODY_BYTES_MAX / 2;

/// So many snapshots are read at once, and as many times.
const PAGE_SNAPSHOTS: usize = 64;

/// How the body ended that this fetch brought; `None` where it brought none.
pub(super) fn of_fetch(report: &FetchReport) -> Option<BodyEnd> {
    let attempt = &report.fetched.as_ref()?.attempt;
    let is_new = attempt.copy.is_some() && !confirms(attempt.last.outcome);
    is_new.then(|| end_by(&attempt.warnings))
}

/// How the copy in `state` ended, by the warnings of the snapshot that brought it. Where the store fails, or
/// that snapshot is gone, it counts as whole.
pub(super) fn of_stored(
    store: &dyn Store,
    authority: &Authority,
    state: &AuthorityState,
) -> BodyEnd {
    let is_long = state
        .copy
        .as_ref()
        .is_some_and(|copy| copy.body.len() >= LOOKED_AT_BYTES);
    match state.snapshot {
        Some(id) if is_long => in_history(store, authority, id).unwrap_or(BodyEnd::Whole),
        _ => BodyEnd::Whole,
    }
}

fn in_history(store: &dyn Store, authority: &Authority, newest: u64) -> Option<BodyEnd> {
    let mut before = SnapshotId(newest.saturating_add(1));
    let mut wanted = None;
    for _ in 0..PAGE_SNAPSHOTS {
        let page = store.snapshots_before(authority, before, PAGE_SNAPSHOTS);
        let page = page.ok()?;
        before = page.last()?.id;
        for snapshot in &page {
            let wanted = *wanted.get_or_insert(snapshot.copy.as_ref()?.body.hash);
            let has_it = snapshot.body.is_some_and(|body| body.hash == wanted);
            if has_it && !confirms(snapshot.attempt.outcome) {
                return Some(end_by(&snapshot.warnings));
            }
        }
    }
    None
}

/// Whether a status 304 confirmed the copy. The warnings of such an attempt do not say how the body ended.
fn confirms(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Successful(Reply::Http(304)) | Outcome::SuccessfulPage(Reply::Http(304))
    )
}

fn end_by(warnings: &[Warning]) -> BodyEnd {
    if warnings.contains(&Warning::BodyCut) {
        BodyEnd::CutAtLimit
    } else {
        BodyEnd::Whole
    }
}
