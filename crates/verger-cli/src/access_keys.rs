//! What is known about an authority as JSON tells it: the keys that `check` and `fetch` share.

use serde::Serialize;
use verger::Clause;
use verger_access::AccessResult;
use verger_store::time_text;

use crate::sighting::Sighting;

/// Profile, stance, fact, clauses, times and body.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AccessKeys<'a> {
    profile: &'a str,
    stance: Option<&'static str>,
    access_result: Option<AccessResultShape>,
    clause: Option<&'static str>,
    fresh_until: Option<String>,
    ask_again_at: Option<String>,
    seen_at: Option<String>,
    body_seen_at: Option<String>,
    snapshot: Option<u64>,
    not_kept: Option<String>,
    body_sha256: Option<String>,
}

/// The fact.
#[derive(Clone, Debug, Serialize)]
struct AccessResultShape {
    result: &'static str,
    what: String,
    clause: &'static str,
}

impl<'a> AccessKeys<'a> {
    /// What is known, if anything is.
    pub(crate) fn of(profile: &'a str, sighting: Option<&Sighting>) -> Self {
        let answer = sighting.map(|sighting| &sighting.answer);
        let shape = |result: AccessResult, clause: Clause| AccessResultShape {
            result: result.as_str(),
            what: result.outcome().to_string(),
            clause: clause.id(),
        };
        let copy = sighting.and_then(|sighting| sighting.copy.as_ref());
        Self {
            profile,
            stance: answer.map(|answer| answer.stance().as_str()),
            access_result: answer.and_then(|answer| {
                let clause = answer.access_result_clause();
                Some(shape(answer.access_result()?, clause))
            }),
            clause: answer.map(|answer| answer.clause().id()),
            fresh_until: answer.map(|answer| time_text(answer.holds_until())),
            ask_again_at: answer.map(|answer| time_text(answer.ask_again_at())),
            seen_at: sighting.map(|sighting| time_text(sighting.seen_at)),
            body_seen_at: copy.map(|copy| time_text(copy.validated_at)),
            snapshot: sighting.and_then(|sighting| Some(sighting.snapshot?.0)),
            not_kept: sighting.and_then(|sighting| Some(sighting.not_kept.as_ref()?.to_string())),
            body_sha256: sighting.and_then(|sighting| Some(sighting.body_hash()?.to_string())),
        }
    }
}
