use serde::Serialize;
use verger_access::{Authority, Profile};

use crate::access::authority_state::AuthorityState;

/// The state of an authority as JSON: the keys `profile` to `body_sha256` of `docs/json.md`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AccessKeys<'a> {
    /// The access profile that decides.
    pub profile: &'a str,
    /// `rules`, `open`, `closed`, `copy` or `defer`.
    pub stance: Option<&'static str>,
    /// The result of the last fetch attempt.
    pub access_result: Option<AccessResultKeys>,
    /// Id of the clause behind the stance.
    pub clause: Option<&'static str>,
    /// Whether an override answers instead of the site's robots.txt.
    pub overridden: bool,
    /// The reason to defer, if too little is known.
    pub missing: Option<String>,
    /// First second in which the answer may change. All times are in RFC 3339.
    pub fresh_until: Option<String>,
    /// When to fetch again.
    pub ask_again_at: Option<String>,
    /// When the last fetch attempt ended.
    pub seen_at: Option<String>,
    /// When the last good body was last fetched or confirmed.
    pub body_seen_at: Option<String>,
    /// Number of the snapshot in the store.
    pub snapshot: Option<u64>,
    /// The reason why the attempt was not stored.
    pub not_kept: Option<&'a str>,
    /// SHA-256 of the deciding body.
    pub body_sha256: Option<&'a str>,
}

/// The result of a fetch attempt.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AccessResultKeys {
    /// `successful`, `unavailable` or `unreachable`.
    pub result: &'static str,
    /// What happened, with the cause of a failure if the attempt was made just now.
    pub what: String,
    /// Id of the clause behind the result.
    pub clause: &'static str,
}

impl<'a> AccessKeys<'a> {
    /// Creates the keys of a state. If nothing is known, all but the profile are `None`.
    #[must_use]
    pub fn new(profile: &'a str, state: Option<&'a AuthorityState>) -> Self {
        let answer = state.map(|state| &state.answer);
        let copy = state.and_then(|state| state.copy.as_ref());
        Self {
            profile,
            stance: answer.map(|answer| answer.stance().as_str()),
            access_result: state.and_then(|state| {
                Some(AccessResultKeys {
                    result: state.answer.access_result()?.as_str(),
                    what: state.what()?,
                    clause: state.answer.access_result_clause().id(),
                })
            }),
            clause: answer.map(|answer| answer.clause().id()),
            overridden: answer.is_some_and(verger_access::Answer::is_overridden),
            missing: answer.and_then(|answer| Some(answer.missing()?.to_string())),
            fresh_until: answer.map(|answer| answer.holds_until().to_string()),
            ask_again_at: answer.map(|answer| answer.ask_again_at().to_string()),
            seen_at: state.and_then(|state| Some(state.seen_at?.to_string())),
            body_seen_at: copy.map(|copy| copy.validated_at.to_string()),
            snapshot: state.and_then(|state| state.snapshot),
            not_kept: state.and_then(|state| state.not_kept.as_deref()),
            body_sha256: state.and_then(AuthorityState::body_sha256),
        }
    }
}

/// A stored authority (`verger.store-list/1`).
#[derive(Clone, Debug, Serialize)]
pub struct StoredSiteLine<'a> {
    schema: &'static str,
    authority: String,
    #[serde(flatten)]
    access: AccessKeys<'a>,
}

impl<'a> StoredSiteLine<'a> {
    /// Creates the line of a state under `profile`.
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
