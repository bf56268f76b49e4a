//! `ReadBody`: a body to lint, and how it is served.

use std::error::Error;

#[cfg(feature = "web")]
use thiserror::Error;
#[cfg(feature = "web")]
use verger_access::Authority;
use verger_crawlers::KnownCrawler;
use verger_lint::Served;
#[cfg(feature = "web")]
use verger_lint::is_answer;

#[cfg(feature = "web")]
use super::served_site::{fetch_as, fetch_variants, served_fetch};
#[cfg(not(feature = "web"))]
use crate::left_out::LeftOut;
#[cfg(feature = "web")]
use crate::screen::byte_text::legible;
use crate::sources::robots_source::RobotsSource;
use crate::sources::site_client::SiteClient;

/// A body, and how it is served.
pub(super) struct ReadBody {
    pub(super) body: Vec<u8>,
    pub(super) served: Served,
}

/// What is fetched of a site beside its file.
#[derive(Clone, Debug)]
pub(super) struct SiteQuestions {
    /// Whether the other names of the site are looked at.
    pub(super) of_variants: bool,
    /// In whose names requests are sent.
    pub(super) crawlers: Vec<&'static KnownCrawler>,
}

impl ReadBody {
    /// Reads a file, or fetches what a site serves, whether or not its rules decide. The body is empty
    /// where the site answers without a file.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or the site cannot be reached.
    pub(super) fn of(
        source: &RobotsSource,
        sites: &mut SiteClient<'_>,
        served: Served,
        questions: &SiteQuestions,
    ) -> Result<Self, Box<dyn Error>> {
        match source {
            RobotsSource::Input(input) => Ok(Self {
                body: input.read()?,
                served,
            }),
            #[cfg(feature = "web")]
            RobotsSource::Site(site) => Self::fetched(site, sites, questions),
            #[cfg(not(feature = "web"))]
            RobotsSource::Site(_) => {
                let (_, _) = (sites, questions);
                Err(LeftOut("web").into())
            }
        }
    }

    #[cfg(feature = "web")]
    fn fetched(
        site: &Authority,
        sites: &mut SiteClient<'_>,
        questions: &SiteQuestions,
    ) -> Result<Self, Box<dyn Error>> {
        let report = sites.fetch(site)?;
        let no_body = |what: String| Box::new(NoBody(site.clone(), what));
        let Some(fetched) = report.fetched else {
            return Err(no_body("nothing was fetched".to_owned()));
        };
        let outcome = fetched.attempt.last.outcome;
        if !is_answer(outcome) {
            let detail = fetched.exchanges.last().and_then(|it| it.detail.as_ref());
            let detail = detail.map(|detail| format!(": {}", legible(detail.as_bytes())));
            return Err(no_body(format!("{outcome}{}", detail.unwrap_or_default())));
        }
        let variants = if questions.of_variants {
            fetch_variants(site, sites)?
        } else {
            Vec::new()
        };
        let copy = fetched.attempt.copy.as_ref();
        Ok(Self {
            body: copy.map_or_else(Vec::new, |copy| copy.body.to_vec()),
            served: Served {
                origin: Some(site.to_string()),
                fetch: Some(served_fetch(&fetched)),
                variants,
                as_crawlers: fetch_as(site, &questions.crawlers, sites),
            },
        })
    }
}

/// A site did not answer.
#[cfg(feature = "web")]
#[derive(Debug, Error)]
#[error("{0} has no robots.txt to look at: {1}")]
struct NoBody(Authority, String);
