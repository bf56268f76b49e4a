//! The knowledge of a client or a store about an authority, as answers have it.

use verger_access::{Authority, Profile, RestOfSite, Timestamp};
use verger_answer::{AuthorityState, LazyHash};
use verger_store::{BodyHash, Store, StoreError, StoredState, knowledge_under};

use crate::answers::client::FetchReport;

/// The state that a client reported; `None` where nothing is known.
#[must_use]
pub fn state_of_report(report: FetchReport) -> Option<AuthorityState> {
    let state = AuthorityState::new(report.knowledge, report.answer)?;
    Some(AuthorityState {
        snapshot: report.snapshot.map(|id| id.0),
        not_kept: report.not_kept.map(|why| why.to_string()),
        hash: LazyHash::by(sha256),
        ..state
    })
}

/// The state under `profile` at `now` by the knowledge of a store; `None` where nothing was known.
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

/// The state of an authority under `profile` at `now` by the knowledge of `store` then; `None` where nothing was known.
///
/// # Errors
///
/// Where the store fails.
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
