//! The knowledge of a client or a store about an authority, as a state of `verger-answer`.

use verger_access::{Authority, Profile, RestOfSite, Timestamp};
use verger_answer::{AuthorityState, LazyHash};
use verger_store::{BodyHash, Store, StoreError, StoredState, knowledge_under};

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

/// Returns the state under `profile` at `now`, given a store's knowledge, or `None` if nothing was
/// known.
#[must_use]
pub fn state_of_stored(
    stored: StoredState,
    profile: &Profile,
    now: Timestamp,
) -> Option<AuthorityState> {
    let knowledge = stored.knowledge;
    let answer = knowledge.answer(profile, now, RestOfSite::default());
    let state = AuthorityState::new(knowledge, answer)?;
    Some(AuthorityState {
        snapshot: Some(stored.snapshot.id.0),
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
    let stored = knowledge_under(store, authority, profile, now)?;
    Ok(stored.and_then(|stored| state_of_stored(stored, profile, now)))
}

fn sha256(body: &[u8]) -> String {
    BodyHash::new(body).to_string()
}
