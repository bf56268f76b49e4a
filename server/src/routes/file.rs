//! Routes about whole files: lint, who, diff.

use axum::response::Response;
use serde::Deserialize;
use verger_access::Profile;
use verger_answer::CrawlerQuery;
use verger_compare::Budget;
use verger_lint::report::{LintSettings, lint_json};
use verger_owner::{FileQuestion, FileQuestionError};

use crate::call::{Call, JSON, JSON_LINES, job, ok};
use crate::problem::Problem;
use crate::query::authority_of;
use crate::routes::site::{ROBOTS, body_of_site};

/// States that one question about a file may cost: a hundredth of what the command takes.
const STATES_MAX: u64 = 40_000;

/// Crawlers that one question may name.
const CRAWLERS_MAX: usize = 32;

/// Two files.
#[derive(Debug, Deserialize)]
struct Change {
    old: String,
    new: String,
}

/// `POST /v1/lint`.
pub(crate) async fn lint(call: Call) -> Result<Response, Problem> {
    let origin = match call.query.get("site") {
        Some(site) => Some(authority_of(site)?.to_string()),
        None => None,
    };
    let service = call.service.clone();
    let (body, places) = call.body_of(ROBOTS).await?;
    let line = job(&service, &service.jobs, places, move |_| {
        let line = lint_json(
            b"robots.txt".to_vec(),
            body.to_vec(),
            origin,
            &LintSettings::default(),
        );
        line.map_err(Problem::defect)
    });
    Ok(ok(JSON, line.await?))
}

/// `POST /v1/who`: of a file.
pub(crate) async fn who(call: Call) -> Result<Response, Problem> {
    let question = question(&call)?;
    let service = call.service.clone();
    let (body, places) = call.body_of(ROBOTS).await?;
    let lines = job(&service, &service.jobs, places, move |_| {
        question.who_json(body.to_vec()).map_err(problem)
    });
    Ok(ok(JSON_LINES, lines.await?))
}

/// `GET /v1/who/{authority}`: of a site.
pub(crate) async fn who_of_site(call: Call) -> Result<Response, Problem> {
    let authority = authority_of(call.segment())?;
    let mut question = question(&call)?;
    question.site = authority.to_string();
    let (service, query, place) = (call.service, call.query, call.place);
    let of_site = (&authority, query.profile(&service)?);
    let body = body_of_site(&service, of_site, query.time("at")?).await?;
    let lines = job(&service, &service.jobs, [place, None], move |_| {
        question.who_json(body).map_err(problem)
    });
    Ok(ok(JSON_LINES, lines.await?))
}

/// `POST /v1/diff`: of two files.
pub(crate) async fn diff(call: Call) -> Result<Response, Problem> {
    let question = question(&call)?;
    let service = call.service.clone();
    let (body, places) = call.body_of(JSON).await?;
    let change: Change = serde_json::from_slice(&body).map_err(Problem::because("json"))?;
    let lines = job(&service, &service.jobs, places, move |_| {
        question.diff_json(change.old, change.new).map_err(problem)
    });
    Ok(ok(JSON_LINES, lines.await?))
}

/// `GET /v1/diff/{authority}`: of a site, between a time and another, or now.
pub(crate) async fn diff_of_site(call: Call) -> Result<Response, Problem> {
    let authority = authority_of(call.segment())?;
    let mut question = question(&call)?;
    question.site = authority.to_string();
    let (service, query, place) = (call.service, call.query, call.place);
    query.required("since")?;
    let of_site = (&authority, query.profile(&service)?);
    let old = body_of_site(&service, of_site, query.time("since")?).await?;
    let new = body_of_site(&service, of_site, query.time("until")?).await?;
    let lines = job(&service, &service.jobs, [place, None], move |_| {
        question.diff_json(old, new).map_err(problem)
    });
    Ok(ok(JSON_LINES, lines.await?))
}

fn question(call: &Call) -> Result<FileQuestion, Problem> {
    let names = call.query.get("agents").unwrap_or_default().split(',');
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    let read = |name: &str| match name {
        "*" => Ok(CrawlerQuery::Unnamed),
        name => name.parse().map_err(Problem::because("agent")),
    };
    let mut question = FileQuestion::default();
    question.crawlers = names.map(read).collect::<Result<_, _>>()?;
    if question.crawlers.len() > CRAWLERS_MAX {
        let detail = format!("`agents` has more than {CRAWLERS_MAX} names");
        return Err(Problem::bad("agent", detail));
    }
    question.reading = Profile::ALL[call.query.profile(&call.service)?].reading;
    question.budget = Budget::of_states(STATES_MAX);
    Ok(question)
}

fn problem(error: FileQuestionError) -> Problem {
    match error {
        FileQuestionError::Crawler(error) => Problem::because("agent")(error),
        other => Problem::defect(other),
    }
}
