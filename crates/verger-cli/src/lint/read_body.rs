//! `ReadBody`: a body to lint, and where it is served.

use std::error::Error;
use std::fmt;

use verger_access::Authority;
use verger_lint::Served;

use crate::robots_source::RobotsSource;
use crate::site_client::SiteClient;

/// A body, and where it is served.
pub(super) struct ReadBody {
    pub(super) body: Vec<u8>,
    pub(super) served: Served,
}

impl ReadBody {
    /// Reads a file, or fetches what a site serves, whether or not its rules decide.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or the site has no robots.txt or cannot be reached.
    pub(super) fn of(
        source: &RobotsSource,
        sites: &mut SiteClient<'_>,
        served: Served,
    ) -> Result<Self, Box<dyn Error>> {
        match source {
            RobotsSource::Input(input) => Ok(Self {
                body: input.read()?,
                served,
            }),
            RobotsSource::Site(site) => Self::fetched(site, sites),
        }
    }

    fn fetched(site: &Authority, sites: &mut SiteClient<'_>) -> Result<Self, Box<dyn Error>> {
        let report = sites.fetch(site)?;
        let attempt = report.fetched.as_deref().map(|fetched| &fetched.attempt);
        let copy = attempt.and_then(|attempt| attempt.copy.as_ref());
        let Some(copy) = copy else {
            let outcome = attempt.map(|attempt| attempt.last.outcome.to_string());
            let outcome = outcome.unwrap_or_else(|| "nothing was fetched".to_owned());
            return Err(Box::new(NoBody(site.clone(), outcome)));
        };
        Ok(Self {
            body: copy.body.to_vec(),
            served: Served {
                origin: Some(site.to_string()),
                ..Served::default()
            },
        })
    }
}

/// A site served no file that can be linted.
#[derive(Debug)]
struct NoBody(Authority, String);

impl fmt::Display for NoBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(authority, outcome) = self;
        write!(f, "{authority} has no robots.txt to look at: {outcome}")
    }
}

impl Error for NoBody {}
