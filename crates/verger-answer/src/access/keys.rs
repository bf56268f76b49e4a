//! `AccessKeys`: the state of an authority as JSON, with the keys that `check`, `fetch` and `store list` share;
//! `StoredSiteLine`: a line of the last.

use serde::Serialize;
use verger::Clause;
use verger_access::{AccessResult, Authority, Profile};

use crate::access::authority_state::AuthorityState;

/// The knowledge about an authority: the keys `profile` to `body_sha256` of `docs/json.md`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AccessKeys<'a> {
    /// The access profile that decides.
    pub profile: &'a str,
    /// `rules`, `open`, `closed`, `copy` or `defer`.
    pub stance: Option<&'static str>,
    /// The result of the last attempt to fetch.
    pub access_result: Option<AccessResultKeys>,
    /// The id of the clause that makes it this stance.
    pub clause: Option<&'static str>,
    /// The missing knowledge, where the stance is to defer since too little is known.
    pub missing: Option<String>,
    /// The first second in which the answer may be another one, in RFC 3339, as all times.
    pub fresh_until: Option<String>,
    /// When the authority is to be asked again.
    pub ask_again_at: Option<String>,
    /// When the last attempt to fetch ended.
    pub seen_at: Option<String>,
    /// When the last good body was last fetched or confirmed.
    pub body_seen_at: Option<String>,
    /// The number of the snapshot in the store.
    pub snapshot: Option<u64>,
    /// Why the attempt is in no store.
    pub not_kept: Option<&'a str>,
    /// The SHA-256 of the body whose rules decide.
    pub body_sha256: Option<&'a str>,
}

/// The result of the last attempt to fetch.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AccessResultKeys {
    /// `successful`, `unavailable` or `unreachable`.
    pub result: &'static str,
    /// The result as a sentence.
    pub what: String,
    /// The id of the clause that makes it this result.
    pub clause: &'static str,
}

impl<'a> AccessKeys<'a> {
    /// The keys of a state; all of them but the profile are `None` where nothing is known.
    #[must_use]
    pub fn new(profile: &'a str, state: Option<&'a AuthorityState>) -> Self {
        let answer = state.map(|state| &state.answer);
        let keys = |result: AccessResult, clause: Clause| AccessResultKeys {
            result: result.as_str(),
            what: result.outcome().to_string(),
            clause: clause.id(),
        };
        let copy = state.and_then(|state| state.copy.as_ref());
        Self {
            profile,
            stance: answer.map(|answer| answer.stance().as_str()),
            access_result: answer.and_then(|answer| {
                let clause = answer.access_result_clause();
                Some(keys(answer.access_result()?, clause))
            }),
            clause: answer.map(|answer| answer.clause().id()),
            missing: answer.and_then(|answer| Some(answer.missing()?.to_string())),
            fresh_until: answer.map(|answer| answer.holds_until().to_string()),
            ask_again_at: answer.map(|answer| answer.ask_again_at().to_string()),
            seen_at: state.map(|state| state.seen_at.to_string()),
            body_seen_at: copy.map(|copy| copy.validated_at.to_string()),
            snapshot: state.and_then(|state| state.snapshot),
            not_kept: state.and_then(|state| state.not_kept.as_deref()),
            body_sha256: state.and_then(AuthorityState::body_sha256),
        }
    }
}

/// A store's knowledge about an authority: a line of `verger.store-list/1`.
#[derive(Clone, Debug, Serialize)]
pub struct StoredSiteLine<'a> {
    schema: &'static str,
    authority: String,
    #[serde(flatten)]
    access: AccessKeys<'a>,
}

impl<'a> StoredSiteLine<'a> {
    /// The line of a state under `profile`.
    #[must_use]
    pub fn new(
        authority: &Authority,
        profile: &'a Profile,
        state: Option<&'a AuthorityState>,
    ) -> Self {
        Self {
            schema: "verger.store-list/1",
            authority: authority.to_string(),
            access: AccessKeys::new(&profile.name, state),
        }
    }
}
