use std::error::Error;

#[cfg(feature = "web")]
use verger_access::Authority;
use verger_lint::Served;
#[cfg(feature = "web")]
use verger_lint::is_answer;

#[cfg(feature = "web")]
use super::served_site::{fetch_as, fetch_variants, served_fetch};
#[cfg(feature = "web")]
use crate::arguments::transport::allow_address;
#[cfg(not(feature = "web"))]
use crate::left_out::left_out;
#[cfg(feature = "web")]
use crate::screen::byte_text::legible;
#[cfg(feature = "web")]
use crate::screen::message::Message;
use crate::sources::robots_source::{RobotsSource, unreadable};
use crate::sources::site_client::SiteClient;

/// A file to lint, and how it is served.
pub(super) struct ReadBody {
    pub(super) body: Vec<u8>,
    pub(super) served: Served,
}

#[derive(Clone, Debug)]
pub(super) struct SiteQuestions {
    pub(super) of_variants: bool,
    /// The User-Agent headers to send, with their names in findings.
    pub(super) user_agents: Vec<[String; 2]>,
}

impl ReadBody {
    /// Reads a file, or fetches what a site serves, whether or not its rules apply. The body is
    /// empty if the site answers without a file.
    pub(super) fn of(
        source: &RobotsSource,
        sites: &mut SiteClient<'_>,
        served: Served,
        questions: &SiteQuestions,
    ) -> Result<Self, Box<dyn Error>> {
        match source {
            RobotsSource::Input(input) => Ok(Self {
                body: input.read().map_err(|error| unreadable(&error, input))?,
                served,
            }),
            #[cfg(feature = "web")]
            RobotsSource::Site(site) => Self::fetched(site, sites, questions),
            #[cfg(not(feature = "web"))]
            RobotsSource::Site(_) => {
                let (_, _) = (sites, questions);
                Err(left_out("web").into())
            }
        }
    }

    #[cfg(feature = "web")]
    fn fetched(
        site: &Authority,
        sites: &mut SiteClient<'_>,
        questions: &SiteQuestions,
    ) -> Result<Self, Box<dyn Error>> {
        let options = &sites.fetching.sites;
        options.refuse_overrides("`lint` is about what the site serves")?;
        // Other names do not get the credentials, so their answers would differ.
        let of_variants = questions.of_variants && options.first_credentials().is_none();
        let report = sites.fetch(site)?;
        let no_body = |why: String| {
            let url = site.robots_url();
            Message::new(format_args!("cannot fetch {url}: {why}"))
        };
        let Some(fetched) = report.fetched else {
            return Err(no_body("nothing was fetched".to_owned()).into());
        };
        let outcome = fetched.attempt.last.outcome;
        if !is_answer(outcome) {
            let detail = fetched.exchanges.last().and_then(|it| it.detail.as_ref());
            let detail = detail.map(|detail| format!(": {}", legible(detail.as_bytes())));
            let message = no_body(format!("{outcome}{}", detail.unwrap_or_default()));
            return Err(message.maybe_help(allow_address(outcome)).into());
        }
        let variants = if of_variants {
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
                as_crawlers: fetch_as(site, &questions.user_agents, sites),
            },
        })
    }
}
