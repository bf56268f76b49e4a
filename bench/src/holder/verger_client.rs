//! Verger's client, over a transport and a store in memory.

use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use verger::{Crawler, Dialect};
use verger_client::{Client, ClientError};

use super::Holder;
use crate::forgetful_store::ForgetfulStore;
use crate::site_transport::{Head, SiteTransport};
use crate::sites::{self, Sites};

/// Sites that are asked about at once.
const BATCH: usize = 1000;

pub(crate) struct VergerClient {
    client: Client,
    crawler: Crawler,
}

impl VergerClient {
    /// One whose store forgets, so that answers alone take memory.
    pub(crate) fn filled(sites: &Arc<Sites>, agent: &str, bytes_max: u64) -> Result<Self, String> {
        Self::empty(sites, agent, bytes_max)?.asked(sites)
    }

    /// The same before it has asked about any site.
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

    /// One with all defaults, but for how much it may hold where that is said.
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

    /// Asks about all sites. The runtime for it is gone afterwards, and its threads with it.
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

    /// Asks about the URLs in turn, beginning with the one at `next`, inside one task of a runtime.
    /// Says how often the answer was yes.
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
