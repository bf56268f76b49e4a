//! Verger's client, with transport and store in memory.

use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use verger::{Crawler, Dialect};
use verger_client::{Client, ClientError};

use super::Holder;
use crate::forgetful_store::ForgetfulStore;
use crate::site_transport::{Head, SiteTransport};
use crate::sites::{self, Sites};

const BATCH: usize = 1000;

pub(crate) struct VergerClient {
    client: Client,
    crawler: Crawler,
}

impl VergerClient {
    /// Uses a store that keeps nothing, so only answers use memory.
    pub(crate) fn filled(sites: &Arc<Sites>, agent: &str, bytes_max: u64) -> Result<Self, String> {
        Self::empty(sites, agent, bytes_max)?.asked(sites)
    }

    /// The same, before any site was queried.
    pub(crate) fn empty(sites: &Arc<Sites>, agent: &str, bytes_max: u64) -> Result<Self, String> {
        let client = Client::over(Arc::new(SiteTransport::new(sites, Head::None)))
            .store(Arc::new(ForgetfulStore::new()))
            .memory_bytes_max(bytes_max);
        Self::of(client.build().map_err(|error| error.to_string())?, agent)
    }

    fn of(client: Client, agent: &str) -> Result<Self, String> {
        let crawler = Crawler::named(agent, Dialect::Rfc9309);
        let crawler = crawler.map_err(|error| error.to_string())?;
        Ok(Self { client, crawler })
    }

    /// A client with default settings, except for an optional limit on its memory.
    pub(crate) fn whole(
        sites: &Arc<Sites>,
        agent: &str,
        head: Head,
        bytes_max: Option<u64>,
    ) -> Result<Self, String> {
        let client = Client::over(Arc::new(SiteTransport::new(sites, head)));
        let client = match bytes_max {
            Some(bytes_max) => client.memory_bytes_max(bytes_max),
            None => client,
        };
        let client = client.build().map_err(|error| error.to_string())?;
        Self::of(client, agent)?.asked(sites)
    }

    /// Queries all sites. Its runtime and threads are gone afterwards.
    fn asked(self, sites: &Sites) -> Result<Self, String> {
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let numbers: Vec<usize> = (0..sites.count).collect();
        for batch in numbers.chunks(BATCH) {
            let urls: Vec<String> = batch.iter().map(|&number| sites::origin(number)).collect();
            let decisions = runtime.block_on(self.client.decide_many(&self.crawler, &urls));
            for decision in decisions {
                decision.map_err(|error| error.to_string())?;
            }
        }
        Ok(self)
    }

    /// Checks the URLs in turn, starting at `next`, inside one task of a runtime. Returns the number of allowed URLs.
    pub(crate) fn allowed_count(
        &self,
        runtime: &Runtime,
        urls: &[String],
        next: &mut usize,
        calls: u64,
    ) -> Result<u64, ClientError> {
        runtime.block_on(async {
            let mut allowed = 0;
            for _ in 0..calls {
                let decision = self.client.decide(&self.crawler, &urls[*next]).await?;
                allowed += u64::from(decision.is_allowed());
                *next = if *next + 1 == urls.len() {
                    0
                } else {
                    *next + 1
                };
            }
            Ok(allowed)
        })
    }
}

impl Holder for VergerClient {
    fn allowed(&self, url: &str) -> Option<bool> {
        let decision = self.client.decide_from_memory(&self.crawler, url)?;
        Some(decision.is_allowed())
    }

    fn sites(&self) -> usize {
        self.client.held_stat().answers
    }

    fn bytes_told(&self) -> Option<u64> {
        Some(self.client.held_stat().bytes())
    }
}
