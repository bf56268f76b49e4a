//! `Question`: a URL and a crawler in JSON. `answer`: the answer about a URL.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use verger::{Effect, TargetPath};
use verger_access::RequestedUrlError;

use crate::problem::Problem;
use crate::service::Service;
use crate::site_file::SiteFile;
use crate::site_lookup::{Agent, SiteQuestion};

const LINE_BYTES_USUAL: usize = 1 << 10;

/// A question in JSON. Unknown keys are ignored.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Question<'q> {
    #[serde(borrow)]
    pub(crate) url: Cow<'q, str>,
    #[serde(borrow)]
    pub(crate) agent: Option<Cow<'q, str>>,
}

impl Question<'_> {
    pub(crate) fn into_owned(self) -> Question<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Question {
            url: owned(self.url),
            agent: self.agent.map(owned),
        }
    }

    /// Returns `question` with this question's own crawler, or `None` if it names none.
    pub(crate) fn own(&self, question: &SiteQuestion) -> Option<SiteQuestion> {
        let agent = self.agent.as_deref()?;
        Some(SiteQuestion {
            agent: Agent::Named(agent.into()),
            ..question.clone()
        })
    }
}

/// The format of an answer, without a line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `verger.check/1`, or a problem.
    Json,
    /// `allow`, `disallow` or `defer`. Problems are `error`, a tab and a message.
    Word,
}

impl Form {
    /// Appends the answer about the URL with this target.
    pub(crate) fn append(
        self,
        output: &mut Vec<u8>,
        site: &SiteFile,
        url: &str,
        target: Result<TargetPath<'_>, RequestedUrlError>,
    ) -> Result<(), Problem> {
        let target = target.map_err(Problem::because("url"))?;
        if self == Self::Json {
            let appended = site.known.append_check(output, url, &target);
            return appended.map_err(Problem::defect);
        }
        output.extend_from_slice(match site.known.effect(&target) {
            Some(Effect::Allow) => b"allow",
            Some(Effect::Disallow) => b"disallow",
            None => b"defer",
        });
        Ok(())
    }

    /// Formats a problem in place of an answer.
    pub(crate) fn problem(self, problem: &Problem) -> String {
        if self == Self::Json {
            return problem.json();
        }
        let sentence = verger::legible(problem.detail().as_bytes());
        format!("error\t{}", sentence.replace('\n', " "))
    }
}

pub(crate) async fn answer(
    service: &Arc<Service>,
    (question, form): (&SiteQuestion, Form),
    url: &str,
) -> Result<Vec<u8>, Problem> {
    let site = question.of_url(service, url).await?;
    let mut line = Vec::with_capacity(LINE_BYTES_USUAL);
    form.append(&mut line, &site, url, site.known.target(url))?;
    Ok(line)
}
