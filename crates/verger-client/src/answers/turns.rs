//! Turns of requests, for callers that keep the delays of sites.

use core::time::Duration;
use std::sync::Arc;

use verger_access::Authority;
use verger_store::{StoreError, Turn, TurnRequest};

use crate::answers::client::Client;

impl Client {
    /// Takes the next turn to send a request to `site`, `delay` after the turn before it, among all
    /// processes that share the store ([`Store::take_turn`](verger_store::Store::take_turn)). Send
    /// the request after the returned wait. A wait longer than `longest` takes no turn.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails or does not answer within five seconds.
    pub async fn take_turn(
        &self,
        site: &Authority,
        delay: Duration,
        longest: Option<Duration>,
    ) -> Result<Turn, Arc<StoreError>> {
        let fetcher = self.fetcher();
        let request = TurnRequest {
            site: site.to_string(),
            delay,
            longest,
            now: fetcher.context.clock.since_1970(),
        };
        fetcher.store.take_turn(request).await
    }
}
