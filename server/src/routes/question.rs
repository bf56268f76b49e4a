//! `Question`: a URL and a crawler, as JSON has them; `answer`: the answer about a URL.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use verger::TargetPath;
use verger_access::RequestedUrlError;

use crate::problem::Problem;
use crate::service::Service;
use crate::site_file::SiteFile;
use crate::site_lookup::{Agent, SiteQuestion};

/// About what an answer takes.
const LINE_OCTETS_USUAL: usize = 1 << 10;

/// A question in JSON; other keys are ignored.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Question<'q> {
    #[serde(borrow)]
    pub(crate) url: Cow<'q, str>,
    #[serde(borrow)]
    pub(crate) agent: Option<Cow<'q, str>>,
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

    /// What it asks for, where it names its own crawler; the rest is that of `question`.
    pub(crate) fn own(&self, question: &SiteQuestion) -> Option<SiteQuestion> {
        let agent = self.agent.as_deref()?;
        Some(SiteQuestion {
            agent: Agent::Named(agent.into()),
            ..question.clone()
        })
    }
}

/// The answer about a URL: a line of `verger.check/1` without a line end.
pub(crate) async fn answer(
    service: &Arc<Service>,
    question: &SiteQuestion,
    url: &str,
) -> Result<Vec<u8>, Problem> {
    let site = question.of_url(service, url).await?;
    let mut line = Vec::with_capacity(LINE_OCTETS_USUAL);
    append(&mut line, &site, url, site.known.target(url))?;
    Ok(line)
}

/// Appends the answer about a URL with this target.
pub(crate) fn append(
    output: &mut Vec<u8>,
    site: &SiteFile,
    url: &str,
    target: Result<TargetPath<'_>, RequestedUrlError>,
) -> Result<(), Problem> {
    let target = target.map_err(Problem::because("url"))?;
    let appended = site.known.append_check(output, url, &target);
    appended.map_err(Problem::defect)
}
