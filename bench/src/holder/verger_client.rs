//! Verger's client, over a transport and a store in memory.

use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use verger::{Crawler, Dialect};
use verger_client::{Client, ClientError};

use super::Holder;
use crate::forgetful_store::ForgetfulStore;
use crate::site_transport::SiteTransport;
use crate::sites::{self, Sites};

/// Sites that are asked about at once.
const BATCH: usize = 1000;

pub(crate) struct VergerClient {
    client: Client,
    crawler: Crawler,
}

impl VergerClient {
    /// The runtime in which it was filled is gone afterwards, and its threads with it.
    pub(crate) fn filled(sites: &Arc<Sites>, agent: &str, octets_max: u64) -> Result<Self, String> {
        let crawler = Crawler::named(agent, Dialect::Rfc9309);
        let crawler = crawler.map_err(|error| error.to_string())?;
        let client = Client::over(Arc::new(SiteTransport(Arc::clone(sites))))
            .store(Arc::new(ForgetfulStore::new()))
            .held_octets_max(octets_max)
            .build();
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let numbers: Vec<usize> = (0..sites.count).collect();
        for batch in numbers.chunks(BATCH) {
            let urls: Vec<String> = batch.iter().map(|&number| sites::origin(number)).collect();
            let decisions = runtime.block_on(client.decide_many(&crawler, &urls));
            for decision in decisions {
                decision.map_err(|error| error.to_string())?;
            }
        }
        Ok(Self { client, crawler })
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

    fn octets_told(&self) -> Option<u64> {
        Some(self.client.held_stat().octets)
    }
}
