//! `/v1/check` and `/v1/explain` for one URL, and dispatch of bodies with many.

use axum::response::Response;
use verger_answer::Explaining;

use crate::call::{Call, JSON, JSON_LINES, TEXT, ok, read_body, unsupported};
use crate::input_lines::InputLines;
use crate::problem::Problem;
use crate::routes::check_many::{Rest, many};
use crate::routes::question::{Form, Question, answer};
use crate::site_lookup::SiteQuestion;

pub(crate) async fn get(call: Call) -> Result<Response, Problem> {
    one(call, Explaining::No).await
}

pub(crate) async fn explain(call: Call) -> Result<Response, Problem> {
    one(call, Explaining::Yes).await
}

async fn one(call: Call, explaining: Explaining) -> Result<Response, Problem> {
    let Call { service, query, .. } = call;
    let url = query.required("url")?;
    let question = query.question(&service, explaining)?;
    let line = answer(&service, (&question, Form::Json), url).await?;
    Ok(ok(JSON, line))
}

pub(crate) async fn post(call: Call) -> Result<Response, Problem> {
    let question = call.query.question(&call.service, Explaining::No)?;
    // Errors that no line can fix are reported before the first line.
    question.crawler()?;
    match &*call.media_type() {
        JSON => json(call, question).await,
        JSON_LINES | "application/jsonl" => Ok(lines(call, JSON_LINES, (question, Form::Json))),
        TEXT => Ok(lines(call, TEXT, (question, Form::Word))),
        other => Err(unsupported(other, &[JSON, JSON_LINES, TEXT])),
    }
}

/// Answers each line that is not blank with one line.
fn lines(call: Call, media_type: &'static str, question: (SiteQuestion, Form)) -> Response {
    let rest = Rest::Lines(InputLines::new(call.body));
    ok(
        media_type,
        many(call.service, question, rest, [call.place, None]),
    )
}

async fn json(call: Call, question: SiteQuestion) -> Result<Response, Problem> {
    let (body, room) = read_body(&call.service, &call.headers, call.body).await?;
    if body.trim_ascii_start().first() == Some(&b'[') {
        let questions: Vec<Question<'_>> =
            serde_json::from_slice(&body).map_err(Problem::why("json", "invalid JSON"))?;
        let questions: Vec<_> = questions.into_iter().map(Question::into_owned).collect();
        let rest = Rest::Array(questions.into_iter(), 0);
        let asked = (question, Form::Json);
        let body = many(call.service, asked, rest, [call.place, Some(room)]);
        return Ok(ok(JSON, body));
    }
    let asked: Question<'_> =
        serde_json::from_slice(&body).map_err(Problem::why("json", "invalid JSON"))?;
    let question = asked.own(&question).unwrap_or(question);
    let line = answer(&call.service, (&question, Form::Json), &asked.url).await?;
    Ok(ok(JSON, line))
}
