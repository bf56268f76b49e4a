//! Routes about whole files: lint, who and diff.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use serde::Deserialize;
use verger_access::Profile;
use verger_answer::CrawlerQuery;
use verger_compare::Budget;
use verger_lint::report::{LintSettings, lint_json};
use verger_owner::{FileQuestion, FileQuestionError};

use crate::call::{Call, JSON, JSON_LINES, Places, job, ok};
use crate::metrics::Shed;
use crate::problem::Problem;
use crate::query::authority_of;
use crate::routes::site::{ROBOTS, body_of_site};
use crate::service::{Service, read_as};

/// Maximum number of automaton states per question about a file, a hundredth of the command's limit.
const STATES_MAX: u64 = 40_000;

const CRAWLERS_MAX: usize = 32;

#[derive(Debug, Deserialize)]
struct Change {
    old: String,
    new: String,
}

pub(crate) async fn lint(call: Call) -> Result<Response, Problem> {
    let site = call.query.get("site").map(authority_of).transpose()?;
    let origin = site.map(|site| site.to_string());
    about_body(call, [ROBOTS, JSON], move |body| {
        let (name, settings) = (b"robots.txt".to_vec(), LintSettings::default());
        lint_json(name, body, origin, &settings).map_err(Problem::defect)
    })
    .await
}

pub(crate) async fn who(call: Call) -> Result<Response, Problem> {
    let question = question(&call)?;
    about_body(call, [ROBOTS, JSON_LINES], move |body| {
        question.who_json(body).map_err(problem)
    })
    .await
}

pub(crate) async fn who_of_site(call: Call) -> Result<Response, Problem> {
    let authority = authority_of(call.segment())?;
    let mut question = question(&call)?;
    question.site = authority.to_string();
    let (service, query, place) = (call.service, call.query, call.place);
    let of_site = (&authority, &query);
    let body = body_of_site(&service, of_site, query.time("at")?).await?;
    file_job(&service, [place, None], JSON_LINES, move || {
        question.who_json(body).map_err(problem)
    })
    .await
}

pub(crate) async fn diff(call: Call) -> Result<Response, Problem> {
    let question = question(&call)?;
    about_body(call, [JSON, JSON_LINES], move |body| {
        let change: Change =
            serde_json::from_slice(&body).map_err(Problem::why("json", "invalid JSON"))?;
        question.diff_json(change.old, change.new).map_err(problem)
    })
    .await
}

/// Handles `GET /v1/diff/{authority}`: compares a site at two times, or with now.
pub(crate) async fn diff_of_site(call: Call) -> Result<Response, Problem> {
    let authority = authority_of(call.segment())?;
    let mut question = question(&call)?;
    question.site = authority.to_string();
    let (service, query, place) = (call.service, call.query, call.place);
    query.required("since")?;
    let of_site = (&authority, &query);
    let old = body_of_site(&service, of_site, query.time("since")?).await?;
    let new = body_of_site(&service, of_site, query.time("until")?).await?;
    file_job(&service, [place, None], JSON_LINES, move || {
        question.diff_json(old, new).map_err(problem)
    })
    .await
}

/// Runs `work` on a body with the first media type, and answers with the second.
async fn about_body(
    call: Call,
    [of_body, of_answer]: [&'static str; 2],
    work: impl FnOnce(Vec<u8>) -> Result<String, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let service = call.service.clone();
    let (body, places) = call.body_of(of_body).await?;
    let work = move || work(body.to_vec());
    file_job(&service, places, of_answer, work).await
}

/// Runs work about a file, within the limits for such work.
///
/// # Errors
///
/// Returns an error of `work`, or if too many requests are waiting.
pub(crate) async fn file_job<T: Into<Body> + Send + 'static>(
    service: &Arc<Service>,
    places: Places,
    media_type: &'static str,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let Ok(_place) = service.file_questions.try_acquire() else {
        return Err(service.shed(Shed::Files, "too many questions about files"));
    };
    let answer = job(service, &service.file_jobs, places, |_| work());
    Ok(ok(media_type, answer.await?))
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
        let detail = format!("too many crawlers in `agents`: the limit is {CRAWLERS_MAX}");
        return Err(Problem::bad("agent", detail));
    }
    question.read_as = read_as(&Profile::ALL[call.query.profile(&call.service)?]);
    question.budget = Budget::from_states(STATES_MAX);
    Ok(question)
}

fn problem(error: FileQuestionError) -> Problem {
    match error {
        FileQuestionError::Crawler(error) => Problem::because("agent")(error),
        other => Problem::defect(other),
    }
}
