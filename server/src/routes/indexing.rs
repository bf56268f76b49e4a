//! `POST /v1/page`: may a crawler index a page.

use std::borrow::Cow;
use std::sync::Arc;

use axum::response::Response;
use serde::Deserialize;
use verger_answer::{Explaining, json};
use verger_client::{Clock as _, SystemClock};
use verger_html::{Given, page_facts};
use verger_inputs::{FetchedPage, SiteOwner};
use verger_lint::with_linted_page;

use crate::call::{Call, JSON, job, ok};
use crate::metrics::Shed;
use crate::problem::Problem;
use crate::routes::question::Question;
use crate::service::Service;
use crate::site_lookup::SiteQuestion;

/// A question about a page. Unknown keys are ignored.
#[derive(Deserialize)]
struct PageQuestion<'q> {
    #[serde(borrow, flatten)]
    asked: Question<'q>,
    /// The head of the response. Without it and `html`, the page is fetched.
    #[serde(borrow)]
    head: Option<Cow<'q, str>>,
    #[serde(borrow)]
    html: Option<Cow<'q, str>>,
}

/// A page before it is read.
enum Page {
    Given(Option<Vec<u8>>, Option<Vec<u8>>),
    Fetched(FetchedPage),
}

pub(crate) async fn page(call: Call) -> Result<Response, Problem> {
    let service = Arc::clone(&call.service);
    let question = call.query.question(&service, Explaining::No)?;
    let (body, places) = call.body_of(JSON).await?;
    let read: PageQuestion<'_> =
        serde_json::from_slice(&body).map_err(Problem::why("json", "invalid JSON"))?;
    let question = read.asked.own(&question).unwrap_or(question);
    question.crawler()?;
    let is_given = read.head.is_some() || read.html.is_some();
    if !is_given && question.at.is_some() {
        let detail = "`at` needs `head` or `html`, because a page is fetched as it is now";
        return Err(Problem::parameter(detail.to_owned()));
    }
    let url = read.asked.url.into_owned();
    let site = question.of_url(&service, &url).await?;
    let page = if is_given {
        let bytes = |text: Option<Cow<'_, str>>| text.map(|text| text.into_owned().into_bytes());
        Page::Given(bytes(read.head), bytes(read.html))
    } else {
        Page::Fetched(fetch(&service, &url, &question).await?)
    };
    let at = question.at.unwrap_or_else(|| SystemClock.now());
    let line = job(&service, &service.file_jobs, places, move |_| {
        let facts = match page {
            Page::Given(head, html) => {
                // A string in JSON is decoded, whatever the head says.
                let [head, html] = [&head, &html].map(|it| it.as_deref().map(Given::Text));
                let facts = page_facts(head, html);
                facts.map_err(Problem::because("head"))?
            }
            Page::Fetched(page) => page.facts(),
        };
        let known = &site.known;
        let target = known.target(&url).map_err(Problem::because("url"))?;
        let answer = (known.file).answer_of_authority(0, url.as_bytes(), &target, &known.lookup);
        let answer = with_linted_page(answer, &facts, at);
        json::to_string(&answer).map_err(Problem::defect)
    });
    Ok(ok(JSON, line.await?))
}

/// Fetches a page in its turn.
async fn fetch(
    service: &Arc<Service>,
    url: &str,
    question: &SiteQuestion,
) -> Result<FetchedPage, Problem> {
    let Some(_share) = service.fetches.take(question.asker).await else {
        return Err(service.shed(Shed::Waiting, "too many requests wait for a fetch"));
    };
    let fetched = service
        .pages(question.profile)?
        .fetch(url, SiteOwner::Other);
    fetched
        .await
        .map_err(|error| Problem::busy("fetch", error.to_string()))
}
