//! `Gate`: decides about a request, and lets it wait for its site.

use std::future::{Future, ready};
use std::sync::Arc;
use std::time::Duration;

use verger_client::{Authority, Client, ClientError, Crawler, Decision};
use verger_extensions::TimeOfDay;

use crate::delays::{Delays, TooLong};
use crate::denied::Denied;
use crate::gate_error::GateError;

/// Decides about each request of a crawler, and lets it wait for its site. A clone shares everything.
#[derive(Clone, Debug)]
pub struct Gate {
    client: Client,
    crawler: Arc<Crawler>,
    delays: Option<Arc<Delays>>,
    longest_wait: Option<Duration>,
}

impl Gate {
    /// A gate for the requests of `crawler`. `client` fetches each robots.txt: over the HTTP client that the
    /// gate is before ([`crate::ServiceTransport`], [`verger_client::Client::over`]), or by itself
    /// ([`verger_client::Client::builder`]).
    #[must_use]
    pub fn new(client: Client, crawler: Crawler) -> Self {
        Self {
            client,
            crawler: Arc::new(crawler),
            delays: Some(Arc::default()),
            longest_wait: None,
        }
    }

    /// Returns whether requests wait for the delays that sites ask for. They do unless this says otherwise.
    /// RFC 9309 has no delays (V-75, V-76).
    #[must_use]
    pub fn keep_delays(mut self, are_kept: bool) -> Self {
        self.delays = are_kept.then(Arc::default);
        self
    }

    /// Sets the longest wait for a delay, with the requests to the same site that come first. A request that would
    /// wait longer fails ([`GateError::LongWait`]): immediately if the delays of earlier requests take longer, and
    /// after that time if not. Default: no limit.
    #[must_use]
    pub fn longest_wait(mut self, longest: Duration) -> Self {
        self.longest_wait = Some(longest);
        self
    }

    /// The client that decides.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns once a request for `url` may be sent: it is allowed, and the delay of its site has passed.
    /// The caller sends it then.
    ///
    /// # Errors
    ///
    /// Returns an error if it must not be sent, would have to wait too long, or nothing can be decided.
    pub async fn pass(&self, url: &str) -> Result<Decision, GateError> {
        self.pass_when(url, ready(Ok(()))).await
    }

    /// Passes as [`Gate::pass`], and returns once what sends the request is ready too. The requests to the
    /// same site that wait for their delay wait for that.
    pub(crate) async fn pass_when<E>(
        &self,
        url: &str,
        is_ready: impl Future<Output = Result<(), E>>,
    ) -> Result<Decision, GateError<E>> {
        let decision = self.decide(url).await?;
        let delay = self.delay(&decision);
        let (Some(delays), false) = (&self.delays, delay.is_zero()) else {
            is_ready.await.map_err(GateError::Client)?;
            return Ok(decision);
        };
        let site = Authority::from_url(url).map_err(ClientError::from)?;
        let site = delays.site(&site.to_string());
        let too_long = |TooLong| GateError::LongWait {
            url: url.to_owned(),
            longest: self.longest_wait.unwrap_or_default(),
        };
        let turn = site.turn(delay, self.longest_wait).await;
        let mut turn = turn.map_err(too_long)?;
        // The rules may have changed meanwhile.
        let mut decision = self.decide(url).await?;
        while turn
            .lengthen(self.delay(&decision))
            .await
            .map_err(too_long)?
        {
            decision = self.decide(url).await?;
        }
        is_ready.await.map_err(GateError::Client)?;
        turn.sent();
        Ok(decision)
    }

    async fn decide<E>(&self, url: &str) -> Result<Decision, GateError<E>> {
        let decision = self.client.decide(&self.crawler, url).await?;
        if decision.is_allowed() {
            return Ok(decision);
        }
        Err(GateError::Denied(Box::new(Denied::new(url, decision))))
    }

    /// How long the site wants the crawler to wait between two requests now.
    fn delay(&self, decision: &Decision) -> Duration {
        let pacing = decision.pacing();
        if pacing.is_none() {
            return Duration::ZERO;
        }
        let time = TimeOfDay::from_unix_seconds(self.client.now().unix_seconds());
        Duration::from_millis(pacing.wait_milliseconds(time))
    }
}
