//! Routes of the watched sites and their events.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::response::Response;
use serde::Serialize;
use serde_json::value::RawValue;
use verger_answer::{json, written_site};
use verger_watch::{LoggedEvent, SiteState};

use crate::call::{Call, JSON, JSON_LINES, ok};
use crate::problem::Problem;
use crate::query::authority_of;
use crate::watching::{Row, Watching};

/// Default and maximum number of lines.
const LINES_MAX: u64 = 1000;

/// A watched site, as a line of `verger.watched/1` in `docs/json.md`.
#[derive(Serialize)]
struct WatchedLine<'r> {
    schema: &'static str,
    url: &'r str,
    line: usize,
    site: Option<String>,
    problem: Option<&'r str>,
    state: Option<&'r SiteState>,
    last_event: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<Vec<Box<RawValue>>>,
}

impl<'r> WatchedLine<'r> {
    fn new(row: &'r Row, events: &[LoggedEvent], with_events: bool) -> Self {
        let watched = row.listed.watched.as_ref();
        Self {
            schema: "verger.watched/1",
            url: &row.listed.url,
            line: row.listed.line,
            site: watched.ok().map(|it| it.site.to_string()),
            problem: row.seen.problem.as_deref(),
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
    let (watching, site) = (watching(call)?, authority_of(call.segment())?);
    let row = watching.row(&site).ok_or_else(|| {
        let detail = format!("{site} is not watched: it is not in the list of --sites");
        Problem::not_found("site", detail)
    })?;
    Ok((row, watching.log.of_site(&site)))
}

/// Handles `GET /v1/sites`.
pub(crate) async fn sites(call: Call) -> Result<Response, Problem> {
    let watching = watching(&call)?;
    let after = call.query.number("after", u64::MAX)?.unwrap_or(0);
    let limit = call.query.number("limit", LINES_MAX)?.unwrap_or(LINES_MAX);
    let rows = watching.rows().into_iter();
    let rows = rows.filter(|row| row.listed.line as u64 > after);
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

/// Handles `GET /probe`.
pub(crate) async fn probe(call: Call) -> Result<Response, Problem> {
    let watching = watching(&call)?;
    let target = call.query.required("target")?;
    let site = written_site(target).map_err(Problem::because("target"))?;
    let row = watching.row(&site).ok_or_else(|| {
        let detail = format!("{site} is not watched: it is not in the list of --sites");
        Problem::not_found("site", detail)
    })?;
    let mut text = String::new();
    let has_succeeded = row.seen.state.is_some() && row.seen.problem.is_none();
    let name = "probe_success";
    let help = "1 if the last look at the site succeeded.";
    let value = u8::from(has_succeeded);
    let _ = write!(
        text,
        "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}\n"
    );
    watching.write_metrics(&mut text, &[row]);
    Ok(ok("text/plain; version=0.0.4; charset=utf-8", text))
}
