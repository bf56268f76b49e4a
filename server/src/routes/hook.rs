//! `/v1/hooks/claude-code`: judges a tool call of an agent before it runs.

use core::time::Duration;
use std::sync::Arc;

use axum::response::Response;
use futures_util::future::join_all;
use tokio::time::timeout;
use verger_answer::Explaining;
use verger_answer::agent_hook::{AgentHost, HookDecision, urls_of_call};

use crate::call::{Call, JSON, ok};
use crate::problem::Problem;
use crate::service::Service;
use crate::site_lookup::SiteQuestion;

/// Answers with status 200 also if the call cannot be judged, because a host runs the tool after most other statuses.
pub(crate) async fn claude_code(call: Call) -> Result<Response, Problem> {
    let refuses = call.query.get("deferred") == Some("deny");
    // The host gets an answer before the time limit of the request.
    let patience = Duration::from_secs(call.service.settings.timeout) * 4 / 5;
    let late = |_| Problem::busy("out-of-time", "robots.txt was not fetched in time");
    let decided = timeout(patience, decide(call)).await.map_err(late);
    let decision = decided
        .flatten()
        .unwrap_or_else(|problem| HookDecision::unknown(problem.detail()));
    let decision = if refuses {
        decision.without_user()
    } else {
        decision
    };
    let answer = match decision {
        HookDecision::Pass => "{}".to_owned(),
        other => other.for_host(AgentHost::ClaudeCode),
    };
    Ok(ok(JSON, answer))
}

/// Judges the call in the body by the strictest answer about its URLs.
async fn decide(call: Call) -> Result<HookDecision, Problem> {
    let deferred = call.query.get("deferred");
    if deferred.is_some_and(|word| word != "ask" && word != "deny") {
        return Err(Problem::parameter(
            "`deferred`: give ask or deny".to_owned(),
        ));
    }
    call.query.required("agent")?;
    let service = Arc::clone(&call.service);
    let question = call.query.question(&service, Explaining::No)?;
    question.crawler()?;
    let (event, _places) = call.body_of(JSON).await?;
    let urls = urls_of_call(&event).map_err(Problem::because("event"))?;
    let decisions = urls.iter().map(async |url| {
        let judged = judge(&service, &question, url).await;
        judged.unwrap_or_else(|problem| HookDecision::unknown(problem.detail()))
    });
    let decisions = join_all(decisions).await.into_iter();
    Ok(decisions.fold(HookDecision::Pass, HookDecision::and))
}

async fn judge(
    service: &Arc<Service>,
    question: &SiteQuestion,
    url: &str,
) -> Result<HookDecision, Problem> {
    let site = question.of_url(service, url).await?;
    let target = site.known.target(url).map_err(Problem::because("url"))?;
    let (file, lookup) = (&site.known.file, &site.known.lookup);
    let answer = file.answer_of_authority(0, url.as_bytes(), &target, lookup);
    Ok(HookDecision::new(&answer))
}
