//! The knowledge of a client or a store about an authority, as a state of `verger-answer`.

use verger_access::{Authority, Profile, Timestamp};
use verger_answer::{AuthorityState, LazyHash};
use verger_store::{BodyHash, InForce, Store, StoreError, in_force_at};

use crate::answers::client::FetchReport;

/// Returns the state that a client reported, or `None` if nothing is known.
#[must_use]
pub fn state_of_report(report: FetchReport) -> Option<AuthorityState> {
    let state = AuthorityState::new(report.knowledge, report.answer)?;
    let last = report.fetched.as_ref().and_then(|it| it.exchanges.last());
    Some(AuthorityState {
        cause: last.and_then(|exchange| exchange.detail.clone()),
        snapshot: report.snapshot.map(|id| id.0),
        not_kept: report.not_kept.map(|why| why.to_string()),
        hash: LazyHash::by(sha256),
        ..state
    })
}

/// Returns the state that was in force by a store, or `None` if nothing was known.
#[must_use]
pub fn state_of_stored(stored: InForce) -> Option<AuthorityState> {
    let state = AuthorityState::new(stored.knowledge, stored.answer)?;
    Some(AuthorityState {
        snapshot: Some(stored.evidence.id.0),
        hash: LazyHash::by(sha256),
        ..state
    })
}

/// Reads the state of an authority under `profile` as of `now`. Returns `None` if nothing was
/// known.
///
/// # Errors
///
/// Returns an error if the store fails.
pub fn state_at(
    store: &dyn Store,
    authority: &Authority,
    profile: &Profile,
    now: Timestamp,
) -> Result<Option<AuthorityState>, StoreError> {
    let stored = in_force_at(store, authority, profile, now)?;
    Ok(stored.and_then(state_of_stored))
}

fn sha256(body: &[u8]) -> String {
    BodyHash::new(body).to_string()
}
