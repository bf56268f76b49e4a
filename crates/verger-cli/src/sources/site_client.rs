//! `SiteClient`: the client of a command that fetches the robots.txt of few sites. It starts with the first fetch.

use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;

use verger::Crawler;
use verger_access::{Authority, ConditionalRequests, Profile};
use verger_client::{Asking, ClientError, FetchReport};
use verger_store::Store;

use crate::arguments::fetch::{FetchArguments, Fetching};
use crate::arguments::fetch_store::FetchStore;
use crate::arguments::reading::ReadingOptions;

pub(crate) struct SiteClient<'a> {
    pub(crate) fetching: &'a FetchArguments,
    pub(crate) profile: Profile,
    started: Option<Rc<Fetching>>,
    /// The last site.
    asked: Option<Authority>,
}

impl<'a> SiteClient<'a> {
    pub(crate) fn new(fetching: &'a FetchArguments, options: &ReadingOptions) -> Self {
        Self {
            fetching,
            profile: fetching.profile(options),
            started: None,
            asked: None,
        }
    }

    /// Sends unconditional requests, because a 304 lacks headers.
    pub(crate) fn unconditional(mut self) -> Self {
        self.profile.freshness.conditional_requests = ConditionalRequests::NotSent;
        self
    }

    /// Fetches one robots.txt.
    pub(crate) fn fetch(&mut self, site: &Authority) -> Result<FetchReport, Box<dyn Error>> {
        Ok(self.start(Some(site))?.fetch(site)?)
    }

    /// Fetches several at once.
    pub(crate) fn fetch_all(
        &mut self,
        sites: &[Authority],
    ) -> Result<Vec<Result<FetchReport, ClientError>>, Box<dyn Error>> {
        Ok(self.start(sites.first())?.report_many(sites, Asking::Now))
    }

    /// Fetches with another `User-Agent`. Stores nothing, because the answer is for a false name.
    pub(crate) fn fetch_as(
        &mut self,
        site: &Authority,
        user_agent: &str,
    ) -> Result<FetchReport, Box<dyn Error>> {
        let (profile, fetching) = (self.profile.clone(), self.fetching);
        let Fetching {
            progress, settings, ..
        } = &**self.start(Some(site))?;
        let mut settings = settings.clone();
        user_agent.clone_into(&mut settings.user_agent);
        let store: Arc<dyn Store> = FetchStore::in_memory().store;
        let shared = (store, Arc::clone(progress));
        let client = fetching.client(settings, profile, &Crawler::unnamed(), Some(site), shared)?;
        Ok(progress.during(|| client.fetch(site))?)
    }

    pub(crate) fn start(
        &mut self,
        site: Option<&Authority>,
    ) -> Result<&Rc<Fetching>, Box<dyn Error>> {
        if self.asked.is_some() && self.asked.as_ref() != site {
            self.fetching.sites.refuse_without_host()?;
        }
        self.asked = site.cloned();
        let profile = || self.profile.clone();
        let started = match self.started.take() {
            Some(started) => started,
            None => Rc::new(
                self.fetching
                    .start(profile(), &[&Crawler::unnamed()], site)?,
            ),
        };
        Ok(self.started.insert(started))
    }
}
