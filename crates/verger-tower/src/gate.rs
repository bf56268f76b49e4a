//! `Gate`: decides about a request, and delays it for its site.

use std::future::{Future, ready};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use verger_client::{Authority, Client, ClientError, Crawler, Decision};
use verger_extensions::TimeOfDay;

use crate::delays::{Delays, TooLong, Turn};
use crate::denied::Denied;
use crate::gate_error::GateError;

/// A request that is later than its turn by more than this part of its delay and this time takes another turn.
const LATE_PART: u32 = 20;
const LATE: Duration = Duration::from_millis(20);

/// Number of further turns that a request takes. On a machine that is always late, it is then sent.
const TURNS_MORE_MAX: usize = 2;

/// Decides about each request of a crawler, and delays it for its site. Clones share all state.
#[derive(Clone, Debug)]
pub struct Gate {
    client: Client,
    crawler: Arc<Crawler>,
    delays: Arc<Delays>,
    keeps_delays: bool,
    least_delay: Duration,
    longest_delay: Duration,
    longest_wait: Option<Duration>,
    sends_disallowed: bool,
}

impl Gate {
    /// Creates a gate for the requests of `crawler`. `client` fetches each robots.txt, either through the gated HTTP
    /// client ([`crate::ServiceTransport`], [`verger_client::Client::over`]), or through its own
    /// ([`verger_client::Client::builder`]).
    #[must_use]
    pub fn new(client: Client, crawler: Crawler) -> Self {
        Self {
            client,
            crawler: Arc::new(crawler),
            delays: Arc::default(),
            keeps_delays: true,
            least_delay: Duration::ZERO,
            longest_delay: Duration::MAX,
            longest_wait: None,
            sends_disallowed: false,
        }
    }

    /// Sets whether requests wait for the delays that sites request. Default: true. RFC 9309 does not define delays
    /// (V-75, V-76).
    #[must_use]
    pub fn keep_delays(mut self, are_kept: bool) -> Self {
        self.keeps_delays = are_kept;
        self
    }

    /// Sets the least delay between two requests to a site, for sites that ask for less or for none. Default: zero, so
    /// requests to such a site are sent at once. One second is polite.
    #[must_use]
    pub fn least_delay(mut self, least: Duration) -> Self {
        self.least_delay = least;
        self
    }

    /// Sets the longest delay between two requests to a site, for sites that ask for more. Default: no limit.
    #[must_use]
    pub fn longest_delay(mut self, longest: Duration) -> Self {
        self.longest_delay = longest;
        self
    }

    /// Sets the longest wait for a delay, including the delays of earlier requests to the same site. A request that
    /// would wait longer fails with [`GateError::LongWait`]: immediately if that is known in advance, and after that
    /// time if not. Default: no limit.
    #[must_use]
    pub fn longest_wait(mut self, longest: Duration) -> Self {
        self.longest_wait = Some(longest);
        self
    }

    /// Sets whether requests are sent even if robots.txt disallows them, for sites that belong to the sender of the
    /// requests. Delays are kept. Default: false.
    #[must_use]
    pub fn own_sites(mut self, are_own: bool) -> Self {
        self.sends_disallowed = are_own;
        self
    }

    /// Returns the client that decides.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Waits until a request for `url` may be sent: it is allowed, and the delay of its site has passed. Send it then.
    ///
    /// # Errors
    ///
    /// Returns an error if the request must not be sent, would have to wait too long, or cannot be decided.
    pub async fn pass(&self, url: &str) -> Result<Decision, GateError> {
        self.pass_when(url, ready(Ok(()))).await
    }

    /// Works like [`Gate::pass`], and also waits until the sender of the request is ready. Meanwhile the other requests
    /// to the same site wait for their delays.
    pub(crate) async fn pass_when<E>(
        &self,
        url: &str,
        is_ready: impl Future<Output = Result<(), E>>,
    ) -> Result<Decision, GateError<E>> {
        let decision = self.decide(url).await?;
        let delay = self.delay(&decision);
        if delay.is_zero() {
            is_ready.await.map_err(GateError::Client)?;
            return Ok(decision);
        }
        let authority = Authority::from_url(url).map_err(ClientError::from)?;
        let site = self.delays.site(&authority.to_string());
        let too_long = |TooLong| GateError::LongWait {
            url: url.to_owned(),
            longest: self.longest_wait.unwrap_or_default(),
        };
        let turn = site.turn(delay, self.longest_wait).await;
        let mut turn = turn.map_err(too_long)?;
        // The rules may have changed during the wait.
        let mut delay = self.delay(&self.decide(url).await?);
        while turn.lengthen(delay).await.map_err(too_long)? {
            delay = self.delay(&self.decide(url).await?);
        }
        let mut came = self
            .turn_in_store(&authority, &turn)
            .await
            .map_err(too_long)?;
        let decision = self.decide(url).await?;
        is_ready.await.map_err(GateError::Client)?;
        // Those behind it count on a request that is sent at its turn.
        let late = (turn.limits().0 / LATE_PART).max(LATE);
        for _ in 0..TURNS_MORE_MAX {
            if came.elapsed() <= late {
                break;
            }
            came = self
                .turn_in_store(&authority, &turn)
                .await
                .map_err(too_long)?;
        }
        turn.sent();
        Ok(decision)
    }

    /// Waits for the turn of the request among those of all processes that share the client's store, and returns when
    /// it came. If the store fails, each process keeps its own delays.
    async fn turn_in_store(&self, site: &Authority, turn: &Turn<'_>) -> Result<Instant, TooLong> {
        let (delay, longest) = turn.limits();
        let wait = match self.client.take_turn(site, delay, longest).await {
            Ok(verger_client::Turn::TooLong(_)) => return Err(TooLong),
            Ok(verger_client::Turn::In(wait)) => wait,
            Err(_) => Duration::ZERO,
        };
        let comes = Instant::now() + wait;
        sleep_until(comes).await;
        Ok(comes)
    }

    async fn decide<E>(&self, url: &str) -> Result<Decision, GateError<E>> {
        let decision = self.client.decide(&self.crawler, url).await?;
        if decision.is_allowed() || self.sends_disallowed {
            return Ok(decision);
        }
        Err(GateError::Denied(Box::new(Denied::new(url, decision))))
    }

    fn delay(&self, decision: &Decision) -> Duration {
        let pacing = decision.pacing();
        if !self.keeps_delays || pacing.is_none() {
            return self.least_delay;
        }
        let time = TimeOfDay::from_unix_seconds(self.client.now().unix_seconds());
        let asked = Duration::from_millis(pacing.wait_milliseconds(time));
        asked.max(self.least_delay).min(self.longest_delay)
    }
}
