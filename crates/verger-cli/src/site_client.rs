//! `SiteClient`: the client of a command that fetches the robots.txt of few sites, made where the first
//! is asked for.

use std::error::Error;
use std::sync::Arc;

use verger::Crawler;
use verger_access::{Authority, ConditionalRequests, Profile};
use verger_client::{Asking, ClientError, FetchReport, Observer, TransportSettings};

use crate::fetch_arguments::FetchArguments;
use crate::fetch_progress::FetchProgress;
use crate::fetch_store::FetchStore;
use crate::interrupt::FetchClient;
use crate::reading_arguments::ReadingOptions;

/// Fetches robots.txt anew, one site after another.
pub(crate) struct SiteClient<'a> {
    pub(crate) fetching: &'a FetchArguments,
    pub(crate) options: ReadingOptions,
    conditions: Conditions,
    started: Option<Started>,
}

/// Whether a request may be answered with what the store has already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conditions {
    OfProfile,
    None,
}

/// What is made where the first site is asked for.
struct Started {
    client: FetchClient,
    progress: Arc<FetchProgress>,
    /// Those of the client.
    settings: TransportSettings,
}

impl<'a> SiteClient<'a> {
    /// A client of these arguments; what it reads is read with `options`.
    pub(crate) fn new(fetching: &'a FetchArguments, options: ReadingOptions) -> Self {
        Self {
            fetching,
            options,
            conditions: Conditions::OfProfile,
            started: None,
        }
    }

    /// Sends requests without conditions, so that every response has all its headers.
    pub(crate) fn unconditional(self) -> Self {
        Self {
            conditions: Conditions::None,
            ..self
        }
    }

    /// Fetches one.
    ///
    /// # Errors
    ///
    /// Where an option cannot be used, the store cannot be opened, or nothing can be fetched.
    pub(crate) fn fetch(&mut self, site: &Authority) -> Result<FetchReport, Box<dyn Error>> {
        let Started {
            client, progress, ..
        } = self.start()?;
        Ok(progress.during(|| client.fetch(site))?)
    }

    /// Fetches several at once.
    ///
    /// # Errors
    ///
    /// Where an option cannot be used or the store cannot be opened.
    pub(crate) fn fetch_all(
        &mut self,
        sites: &[Authority],
    ) -> Result<Vec<Result<FetchReport, ClientError>>, Box<dyn Error>> {
        let Started {
            client, progress, ..
        } = self.start()?;
        Ok(progress.during(|| client.report_many(sites, Asking::Now)))
    }

    /// Fetches one with another `User-Agent`, and keeps nothing: it is what this client is answered
    /// under a wrong name.
    ///
    /// # Errors
    ///
    /// Where an option or the header cannot be used, or nothing can be fetched.
    pub(crate) fn fetch_as(
        &mut self,
        site: &Authority,
        user_agent: &str,
    ) -> Result<FetchReport, Box<dyn Error>> {
        let profile = self.profile();
        let fetching = self.fetching;
        let Started {
            progress, settings, ..
        } = self.start()?;
        let settings = TransportSettings {
            user_agent: user_agent.to_owned(),
            ..settings.clone()
        };
        let store = FetchStore::in_memory().store;
        let observer = Arc::clone(progress) as Arc<dyn Observer>;
        let client = fetching.client_of(settings, profile, store, &Crawler::unnamed(), observer)?;
        Ok(progress.during(|| client.fetch(site))?)
    }

    fn profile(&self) -> Profile {
        let mut profile = self.fetching.profile(&self.options);
        if self.conditions == Conditions::None {
            profile.freshness.conditional_requests = ConditionalRequests::NotSent;
        }
        profile
    }

    fn start(&mut self) -> Result<&Started, Box<dyn Error>> {
        let started = match self.started.take() {
            Some(started) => started,
            None => self.make()?,
        };
        Ok(self.started.insert(started))
    }

    fn make(&self) -> Result<Started, Box<dyn Error>> {
        let FetchStore { store, .. } = self.fetching.open_store()?;
        let progress = Arc::new(FetchProgress::start());
        let observer = Arc::clone(&progress) as Arc<dyn Observer>;
        let crawler = Crawler::unnamed();
        let settings = self.fetching.transport.settings()?;
        let profile = self.profile();
        let client =
            self.fetching
                .client_of(settings.clone(), profile, store, &crawler, observer)?;
        self.fetching.note_user_agent([&crawler]);
        Ok(Started {
            client,
            progress,
            settings,
        })
    }
}
