//! Routes about one site: robots.txt, history, pacing, and the body used by who and diff.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::header::{ETAG, HeaderName, IF_NONE_MATCH, VARY};
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::{Explaining, PacingAnswer, PacingBounds, StoredSiteLine};
use verger_client::{Clock as _, SystemClock};
use verger_owner::{HistoryDetail, HistoryLine, HistoryTextError, each_history_entry};

use crate::call::{Call, JSON, JSON_LINES, TEXT, job, ok};
use crate::problem::Problem;
use crate::query::{Query, authority_of};
use crate::service::Service;
use crate::site_lookup::{Agent, SiteQuestion};

/// Default and maximum number of history lines.
const LINES_MAX: u64 = 1000;
const LINES_USUAL: u64 = 100;

/// Size in bytes after which no more history lines are added.
const HISTORY_BYTES_MAX: usize = 4 << 20;

/// Maximum delay in milliseconds: one year.
const DELAY_MAX: u64 = 365 * 86_400_000;

const STANCE: HeaderName = HeaderName::from_static("x-verger-stance");
const SEEN_AT: HeaderName = HeaderName::from_static("x-verger-seen-at");
const FRESH_UNTIL: HeaderName = HeaderName::from_static("x-verger-fresh-until");
const MORE_SINCE: HeaderName = HeaderName::from_static("x-verger-more-since");

/// Handles `GET /v1/robots/{authority}`: returns the body whose rules apply, or the lookup as JSON if preferred.
pub(crate) async fn robots(call: Call) -> Result<Response, Problem> {
    let authority = authority_of(call.segment())?;
    let question = call.query.question(&call.service, Explaining::No)?;
    let site = question.known(&call.service, &authority).await?;
    let state = site.known.lookup.state.as_ref();
    if call.prefers_json() {
        let profile = &Profile::ALL[question.profile];
        return json(&StoredSiteLine::new(&authority, profile, state));
    }
    let Some(state) = state else {
        let detail = format!("nothing stored about {authority} at this time");
        return Err(Problem::not_found("unknown", detail));
    };
    let stance = state.answer.stance().as_str();
    let Some(body) = state.answer.body() else {
        let detail = format!("no rules apply to {authority}: its stance is `{stance}`");
        return Err(Problem::not_found("no-rules", detail));
    };
    let mut response = ok("text/plain; charset=utf-8", Body::from(body.to_vec()));
    let headers = response.headers_mut();
    headers.insert(STANCE, HeaderValue::from_static(stance));
    headers.insert(VARY, HeaderValue::from_static("accept"));
    let tag = state.body_sha256().map(|hash| format!("\"{hash}\""));
    let mut known = call.headers.get_all(IF_NONE_MATCH).iter();
    let mut is_in =
        |tag: &str| known.any(|it| it == "*" || it.to_str().is_ok_and(|it| it.contains(tag)));
    let is_known = tag.as_deref().is_some_and(&mut is_in);
    for (name, value) in [
        (ETAG, tag),
        (SEEN_AT, state.seen_at.map(|at| at.to_string())),
        (FRESH_UNTIL, Some(state.answer.holds_until().to_string())),
    ] {
        let value = value.and_then(|value| HeaderValue::try_from(value).ok());
        headers.extend(value.map(|value| (name, value)));
    }
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
    }
    Ok(response)
}

fn json<T: Serialize>(value: &T) -> Result<Response, Problem> {
    let line = verger_answer::json::to_string(value);
    Ok(ok(JSON, line.map_err(Problem::defect)?))
}

pub(crate) async fn pacing(call: Call) -> Result<Response, Problem> {
    let authority = authority_of(call.segment())?;
    let usual = PacingBounds::default();
    let min = call.query.number("min_ms", DELAY_MAX)?;
    let max = call.query.number("max_ms", DELAY_MAX)?;
    let bounds = PacingBounds {
        min: min.map_or(usual.min, Duration::from_millis),
        max: max.map_or(usual.max, Duration::from_millis),
    };
    let question = call.query.question(&call.service, Explaining::No)?;
    let site = question.known(&call.service, &authority).await?;
    let at = question.at.unwrap_or_else(|| SystemClock.now());
    let answer = PacingAnswer::new(&site.known.file, &site.known.lookup, at, bounds);
    json(&answer)
}

/// The reason why reading a history stopped.
enum End {
    Failed(HistoryTextError),
    /// The response has no space for the entry of this time.
    Full(Timestamp),
}

impl From<verger_store::StoreError> for End {
    fn from(error: verger_store::StoreError) -> Self {
        Self::Failed(error.into())
    }
}

pub(crate) async fn history(call: Call) -> Result<Response, Problem> {
    let authority = authority_of(call.segment())?;
    let since = call.query.time("since")?.unwrap_or_default();
    let end = Timestamp::from_unix_seconds(u64::MAX);
    let during = since..call.query.time("until")?.unwrap_or(end);
    let limit = call.query.number("limit", LINES_MAX)?;
    let limit = limit.unwrap_or(LINES_USUAL);
    let detail = HistoryDetail {
        diff: call.query.flag("diff")?,
        facts: call.query.flag("facts")?,
    };
    let (service, place) = (call.service, call.place);
    let jobs = &service.store_jobs;
    let (lines, more_since) = job(&service, jobs, [place, None], move |service| {
        let (mut lines, mut count) = (String::new(), 0);
        let (store, facts) = (&*service.store, detail.read_facts());
        let read = each_history_entry(store, &authority, during, facts, |entry| {
            if count >= limit || lines.len() >= HISTORY_BYTES_MAX {
                return Err(End::Full(entry.snapshot.attempt.at));
            }
            let line = HistoryLine::new(entry, detail);
            let line = verger_answer::json::line_of(&line);
            lines.push_str(&line.map_err(|error| End::Failed(error.into()))?);
            count += 1;
            Ok(())
        });
        match read {
            Ok(()) => Ok((lines, None)),
            Err(End::Full(at)) => Ok((lines, Some(at))),
            Err(End::Failed(error)) => Err(Problem::busy("store", error.to_string())),
        }
    })
    .await?;
    let mut response = ok(JSON_LINES, lines);
    let more = more_since.and_then(|at| HeaderValue::try_from(at.to_string()).ok());
    let headers = response.headers_mut();
    headers.extend(more.map(|more| (MORE_SINCE, more)));
    Ok(response)
}

/// Returns the body whose rules apply to a site, for questions about whole files. It is empty without rules.
pub(crate) async fn body_of_site(
    service: &Arc<Service>,
    (authority, query): (&Authority, &Query),
    at: Option<Timestamp>,
) -> Result<Vec<u8>, Problem> {
    let question = SiteQuestion {
        agent: Agent::Named("*".into()),
        at,
        ..query.question(service, Explaining::No)?
    };
    let site = question.known(service, authority).await?;
    let Some(state) = &site.known.lookup.state else {
        let detail = format!("nothing stored about {authority} at this time");
        return Err(Problem::not_found("unknown", detail));
    };
    let body = state.answer.body().map(|body| body.to_vec());
    Ok(body.unwrap_or_default())
}

pub(crate) const ROBOTS: &str = TEXT;
