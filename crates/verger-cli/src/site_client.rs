//! `SiteClient`: the client of a command that fetches the robots.txt of few sites, made where the first
//! is asked for.

use std::error::Error;
use std::sync::Arc;

use verger::Crawler;
use verger_access::Authority;
use verger_client::{FetchReport, Observer};

use crate::fetch_arguments::FetchArguments;
use crate::fetch_progress::FetchProgress;
use crate::fetch_store::FetchStore;
use crate::interrupt::FetchClient;
use crate::reading_arguments::ReadingOptions;

/// Fetches robots.txt anew, one site after another.
pub(crate) struct SiteClient<'a> {
    pub(crate) fetching: &'a FetchArguments,
    pub(crate) options: ReadingOptions,
    client: Option<(FetchClient, Arc<FetchProgress>)>,
}

impl<'a> SiteClient<'a> {
    /// A client of these arguments; what it reads is read with `options`.
    pub(crate) fn new(fetching: &'a FetchArguments, options: ReadingOptions) -> Self {
        Self {
            fetching,
            options,
            client: None,
        }
    }

    /// Fetches one.
    ///
    /// # Errors
    ///
    /// Where an option cannot be used, the store cannot be opened, or nothing can be fetched.
    pub(crate) fn fetch(&mut self, site: &Authority) -> Result<FetchReport, Box<dyn Error>> {
        let (client, progress) = match self.client.take() {
            Some(started) => started,
            None => self.start()?,
        };
        let report = progress.during(|| client.fetch(site));
        self.client = Some((client, progress));
        Ok(report?)
    }

    fn start(&self) -> Result<(FetchClient, Arc<FetchProgress>), Box<dyn Error>> {
        let FetchStore { store, .. } = self.fetching.open_store()?;
        let progress = Arc::new(FetchProgress::start());
        let observer = Arc::clone(&progress) as Arc<dyn Observer>;
        let profile = self.fetching.profile(&self.options);
        let crawler = Crawler::unnamed();
        let client = self.fetching.client(profile, store, &crawler, observer)?;
        self.fetching.note_user_agent([&crawler]);
        Ok((client, progress))
    }
}
