//! Contents of a pickle of a `verger.access.Answer`.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use verger::{Clause, Reading};
use verger_access::{AccessResult, AnswerParts, Missing, Outcome, Timestamp};

use crate::reading::{option_names, with_option};

/// Contents: the stance and its clause, the profile, the dialect and the options, `holds_until` and
/// `ask_again_at`, the body, the access result with its outcome and clause, and the missing
/// information with a time.
pub(crate) type Parts<'py> = (
    (String, String),
    String,
    (String, Vec<String>),
    (u64, u64),
    Option<Bound<'py, PyBytes>>,
    Option<(String, String)>,
    String,
    Option<(String, u64)>,
);

pub(crate) fn parts<'py>(py: Python<'py>, answer: &verger_access::Answer) -> PyResult<Parts<'py>> {
    let parts = answer.parts();
    let result = parts.access_result;
    let options = option_names(&parts.reading).map(str::to_owned);
    let missing = match parts.missing {
        None => None,
        Some(Missing::AnyAttempt) => Some(("any-attempt".to_owned(), 0)),
        Some(Missing::AttemptAfter(at)) => Some(("attempt-after".to_owned(), at.unix_seconds())),
        Some(Missing::Body) => Some(("body".to_owned(), 0)),
        Some(other) => return Err(PyValueError::new_err(other.to_string())),
    };
    Ok((
        (parts.stance.to_string(), parts.clause.id().to_owned()),
        parts.profile.to_string(),
        (
            parts.reading.dialect().as_str().to_owned(),
            options.collect(),
        ),
        (
            parts.holds_until.unix_seconds(),
            parts.ask_again_at.unix_seconds(),
        ),
        parts.body.as_deref().map(|body| PyBytes::new(py, body)),
        result.map(|it| (it.as_str().to_owned(), it.outcome().code())),
        parts.access_result_clause.id().to_owned(),
        missing,
    ))
}

pub(crate) fn restored(parts: &Parts<'_>) -> Option<verger_access::Answer> {
    let (
        (stance, clause),
        profile,
        (dialect, options),
        times,
        body,
        result,
        result_clause,
        missing,
    ) = parts;
    let reading = Reading::new(dialect.parse().ok()?);
    let reading = options
        .iter()
        .try_fold(reading, |reading, it| with_option(reading, it))?;
    let parts = AnswerParts {
        access_result: match result {
            Some((kind, outcome)) => Some(access_result(kind, outcome.parse().ok()?)?),
            None => None,
        },
        access_result_clause: kept_clause(result_clause)?,
        stance: stance.parse().ok()?,
        clause: kept_clause(clause)?,
        profile: profile.clone().into(),
        reading,
        holds_until: Timestamp::from_unix_seconds(times.0),
        ask_again_at: Timestamp::from_unix_seconds(times.1),
        body: body.as_ref().map(|body| body.as_bytes().into()),
        missing: match missing {
            Some((what, at)) => Some(match &**what {
                "any-attempt" => Missing::AnyAttempt,
                "attempt-after" => Missing::AttemptAfter(Timestamp::from_unix_seconds(*at)),
                "body" => Missing::Body,
                _ => return None,
            }),
            None => None,
        },
    };
    Some(parts.into())
}

fn access_result(kind: &str, outcome: Outcome) -> Option<AccessResult> {
    match kind {
        "successful" => Some(AccessResult::Successful(outcome)),
        "unavailable" => Some(AccessResult::Unavailable(outcome)),
        "unreachable" => Some(AccessResult::Unreachable(outcome)),
        _ => None,
    }
}

/// Returns the clause with this id. Ids are interned for the life of the process. Profiles name
/// about fifty.
fn kept_clause(id: &str) -> Option<Clause> {
    static IDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut ids = IDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = ids.get(id) {
        return Clause::from_id(kept);
    }
    let kept: &'static str = Box::leak(id.into());
    ids.insert(kept);
    Clause::from_id(kept)
}
