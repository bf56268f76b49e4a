//! `POST /v1/page`: may a crawler index a page.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use serde::Deserialize;
use tokio::time::timeout;
use verger_answer::{Explaining, PageFacts, json};
use verger_client::{Clock as _, SystemClock};
use verger_html::page_facts;
use verger_inputs::{FetchedPage, SiteOwner};
use verger_lint::with_linted_page;

use crate::call::{Call, JSON, job, ok};
use crate::metrics::Shed;
use crate::problem::Problem;
use crate::routes::question::Question;
use crate::service::Service;
use crate::site_lookup::SiteQuestion;

/// How long a question waits for the turn of its request and for the page.
const PAGE_PATIENCE: Duration = Duration::from_secs(30);

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
    Without(PageFacts),
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
        fetched(&service, &url, &question).await?
    };
    let at = question.at.unwrap_or_else(|| SystemClock.now());
    let line = job(&service, &service.file_jobs, places, move |_| {
        let facts = match page {
            Page::Given(head, html) => {
                let facts = page_facts(head.as_deref(), html.as_deref());
                facts.map_err(Problem::because("head"))?
            }
            Page::Without(facts) => facts,
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
async fn fetched(
    service: &Arc<Service>,
    url: &str,
    question: &SiteQuestion,
) -> Result<Page, Problem> {
    let Some(_share) = service.fetches.take(question.asker).await else {
        return Err(service.shed(Shed::Waiting, "too many requests wait for a fetch"));
    };
    let pages = service.pages(question.profile)?;
    let Ok(fetched) = timeout(PAGE_PATIENCE, pages.fetch(url, SiteOwner::Other)).await else {
        let what = "the site asks for a longer delay between requests than this one waits";
        return Err(Problem::busy("turn", what));
    };
    let fetched = fetched.map_err(|error| Problem::busy("fetch", error.to_string()))?;
    Ok(match fetched {
        FetchedPage::Response(response) => Page::Given(Some(response.head), Some(response.body)),
        FetchedPage::Disallowed(denied) => {
            let why = format!("robots.txt disallows it to this server, {denied}");
            Page::Without(PageFacts::not_fetched(why))
        }
        FetchedPage::Failed(error) => Page::Without(PageFacts::failed(error.to_string())),
        _ => Page::Without(PageFacts::failed("the reason is unknown")),
    })
}
