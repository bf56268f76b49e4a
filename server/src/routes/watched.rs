//! Routes of the watched sites and their events.

use std::sync::Arc;

use axum::response::Response;
use serde::Serialize;
use serde_json::value::RawValue;
use verger_access::Profile;
use verger_answer::{Explaining, json, written_site, written_sites};
use verger_watch::{FetchedSite, LoggedEvent, SiteState, WatchedSite};

use crate::call::{Call, JSON, JSON_LINES, job, ok};
use crate::problem::Problem;
use crate::query::sites_of;
use crate::service::read_as;
use crate::site_file::SiteFile;
use crate::site_metrics::{SiteMetrics, write_site_metrics};
use crate::watching::{Row, Watching};

const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Default and maximum number of lines.
const LINES_MAX: u64 = 1000;

/// A watched site, as a line of `verger.watched/1` in `docs/json.md`.
#[derive(Serialize)]
struct WatchedLine<'r> {
    schema: &'static str,
    url: &'r str,
    place: usize,
    line: usize,
    site: Option<String>,
    problem: Option<String>,
    state: Option<&'r SiteState>,
    last_event: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<Vec<Box<RawValue>>>,
}

impl<'r> WatchedLine<'r> {
    fn new(row: &'r Row, events: &[LoggedEvent], with_events: bool) -> Self {
        let listed = row.listed();
        let problems = row.seen.problems();
        Self {
            schema: "verger.watched/1",
            url: &listed.url,
            place: row.place(),
            line: listed.line,
            site: row.site().map(ToString::to_string),
            problem: (!problems.is_empty()).then(|| problems.join("; ")),
            state: row.seen.state.as_deref(),
            last_event: events.last().and_then(raw),
            events: with_events.then(|| events.iter().filter_map(raw).collect()),
        }
    }
}

fn raw(event: &LoggedEvent) -> Option<Box<RawValue>> {
    RawValue::from_string(event.json.to_string()).ok()
}

/// Returns the watched sites.
///
/// # Errors
///
/// Returns an error if the server watches none.
pub(crate) fn watching(call: &Call) -> Result<&Watching, Problem> {
    let watching = call.service.watching.as_ref();
    watching.ok_or_else(|| Problem::not_found("sites", "no sites are watched: start with --sites"))
}

/// Returns the watched site that the path names, and its events.
///
/// # Errors
///
/// Returns an error if it is not watched.
pub(crate) fn named(call: &Call) -> Result<(Row, Arc<[LoggedEvent]>), Problem> {
    let (watching, sites) = (watching(call)?, sites_of(call.segment())?);
    let row = sites.iter().find_map(|site| watching.row(site));
    let row = row.ok_or_else(|| {
        let detail = format!("{} is not in the list of --sites", sites[0]);
        Problem::not_found("site", detail)
    })?;
    let events = watching.events_of(&row);
    Ok((row, events))
}

/// Handles `GET /v1/sites`.
pub(crate) async fn sites(call: Call) -> Result<Response, Problem> {
    let watching = watching(&call)?;
    let after = call.query.number("after", u64::MAX)?.unwrap_or(0);
    let limit = call.query.number("limit", LINES_MAX)?.unwrap_or(LINES_MAX);
    let after = usize::try_from(after).unwrap_or(usize::MAX);
    let rows = watching.rows().into_iter().skip(after);
    let mut lines = String::new();
    for row in rows.take(usize::try_from(limit).unwrap_or(usize::MAX)) {
        let events = watching.events_of(&row);
        let line = WatchedLine::new(&row, &events, false);
        lines.push_str(&json::line_of(&line).map_err(Problem::defect)?);
    }
    Ok(ok(JSON_LINES, lines))
}

/// Handles `GET /v1/sites/{authority}`.
pub(crate) async fn site(call: Call) -> Result<Response, Problem> {
    let (row, events) = named(&call)?;
    let line = json::to_string(&WatchedLine::new(&row, &events, true));
    Ok(ok(JSON, line.map_err(Problem::defect)?))
}

/// Handles `GET /v1/events`.
pub(crate) async fn events(call: Call) -> Result<Response, Problem> {
    let watching = watching(&call)?;
    let since = call.query.time("since")?.unwrap_or_default();
    let limit = call.query.number("limit", LINES_MAX)?.unwrap_or(LINES_MAX);
    let events = watching
        .log
        .since(since, usize::try_from(limit).unwrap_or(usize::MAX));
    let lines = events.iter().flat_map(|it| [&*it.json, "\n"]);
    Ok(ok(JSON_LINES, lines.collect::<String>()))
}

/// Handles `GET /probe`. A site that is not watched is fetched, but only for a holder of a token: nobody else makes
/// this server fetch sites of his choice and read the result.
pub(crate) async fn probe(call: Call) -> Result<Response, Problem> {
    let target = call.query.required("target")?;
    let sites = written_sites(target).map_err(Problem::because("target"))?;
    let watching = call.service.watching.as_ref();
    let row = watching.and_then(|it| sites.iter().find_map(|site| it.row(site)));
    if let Some((watching, row)) = watching.zip(row) {
        let has_succeeded = row.seen.state.is_some() && row.seen.problem.is_none();
        let mut text = probe_success(has_succeeded);
        watching.write_metrics(&mut text, &[row]);
        return Ok(ok(METRICS, text));
    }
    let site = written_site(target).map_err(Problem::because("target"))?;
    // The dispatcher has checked the token, if the server has tokens.
    if call.service.reloadable.borrow().tokens.is_open() {
        let detail = format!(
            "{site} is not watched: it is not in the list of --sites, and other sites need a token (--tokens)"
        );
        return Err(Problem::not_found("site", detail));
    }
    let question = call.query.question(&call.service, Explaining::No)?;
    let known = question.known(&call.service, &site).await?;
    let (service, place) = (call.service, call.place);
    let jobs = &service.jobs;
    let text = job(&service, jobs, [place, None], move |service| {
        let profile = &Profile::ALL[service.profile];
        let state = fetched(&known).and_then(|fetched| {
            let read_as = read_as(profile);
            let site = WatchedSite::new(site, WatchedSite::usual_crawlers(read_as));
            SiteState::of_fetch(&site, fetched, profile, read_as).ok()
        });
        let mut text = probe_success(state.is_some());
        let metrics = state.as_ref().map(|state| SiteMetrics {
            state: Some(state),
            site: None,
            last_event: None,
        });
        write_site_metrics(&mut text, metrics.as_slice());
        Ok(text)
    });
    Ok(ok(METRICS, text.await?))
}

/// Returns the last fetch of a site that is not watched.
fn fetched(known: &SiteFile) -> Option<FetchedSite> {
    let state = known.known.lookup.state.as_ref()?;
    Some(FetchedSite {
        answer: state.answer.clone(),
        outcome: state.what().unwrap_or_default(),
        at: state.seen_at?,
        unreachable_since: state.unreachable_since,
        snapshot: None,
    })
}

fn probe_success(has_succeeded: bool) -> String {
    let value = u8::from(has_succeeded);
    format!(
        "# HELP probe_success 1 if the last look at the site succeeded.\n\
         # TYPE probe_success gauge\nprobe_success {value}\n"
    )
}
