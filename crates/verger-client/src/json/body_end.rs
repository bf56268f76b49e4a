//! Decides whether the body found for an authority is complete.

use verger::limits::BODY_BYTES_MAX;
use verger_access::{Authority, BodyEnd, Outcome, Reply, Warning};
use verger_answer::AuthorityState;
use verger_store::{SnapshotId, Store};

use crate::answers::client::FetchReport;

/// Shorter bodies are taken as whole, so their history is not read. Such a body would have been cut
/// within a line of more than a quarter of a megabyte.
const LOOKED_AT_BYTES: usize = BODY_BYTES_MAX / 2;

/// Number of snapshots per page, and maximum number of pages.
const PAGE_SNAPSHOTS: usize = 64;

/// Returns how the fetched body ended, or `None` if the fetch brought no body.
pub(super) fn of_fetch(report: &FetchReport) -> Option<BodyEnd> {
    let attempt = &report.fetched.as_ref()?.attempt;
    let is_new = attempt.copy.is_some() && !confirms(attempt.last.outcome);
    is_new.then(|| end_by(&attempt.warnings))
}

/// Returns how the copy in `state` ended, by the warnings of the snapshot that brought it. If the
/// store fails or the snapshot is gone, the body is taken as whole.
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

/// Returns `true` if a status 304 confirmed the copy. Such an attempt has no warnings about the
/// body.
fn confirms(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Successful(Reply::Http(304)) | Outcome::Illegible(Reply::Http(304), _)
    )
}

fn end_by(warnings: &[Warning]) -> BodyEnd {
    if warnings.contains(&Warning::BodyCut) {
        BodyEnd::CutAtLimit
    } else {
        BodyEnd::Whole
    }
}
