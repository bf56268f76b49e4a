//! `Question`: a URL and a crawler, as JSON has them; `answer`: the answer about a URL.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use verger_access::Authority;

use crate::problem::Problem;
use crate::service::Service;
use crate::site_lookup::{Agent, SiteQuestion};

/// A question in JSON; other keys are ignored.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Question<'q> {
    #[serde(borrow)]
    pub(crate) url: Cow<'q, str>,
    #[serde(borrow)]
    agent: Option<Cow<'q, str>>,
}

impl Question<'_> {
    /// The same without the text that it was read from.
    pub(crate) fn into_owned(self) -> Question<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Question {
            url: owned(self.url),
            agent: self.agent.map(owned),
        }
    }

    /// The answer to it; what it does not say is that of `question`.
    pub(crate) async fn answer(
        &self,
        service: &Arc<Service>,
        question: &SiteQuestion,
    ) -> Result<String, Problem> {
        let Some(agent) = &self.agent else {
            return answer(service, question, &self.url).await;
        };
        let own = SiteQuestion {
            agent: Agent::Named(agent.clone().into_owned()),
            ..question.clone()
        };
        answer(service, &own, &self.url).await
    }
}

/// The answer about a URL: a line of `verger.check/1` without a line end.
pub(crate) async fn answer(
    service: &Arc<Service>,
    question: &SiteQuestion,
    url: &str,
) -> Result<String, Problem> {
    if let Some(held) = question.held(service, url) {
        return held.check(url);
    }
    let authority = Authority::of(url).map_err(|error| Problem::bad("url", error.to_string()))?;
    question.known(service, &authority).await?.check(url)
}
