//! `Fetcher`: returns the knowledge about an authority, with one fetch for all callers.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::time::{Instant, timeout_at};
use url::Url;
use verger_access::session::{Event, Wanted};
use verger_access::{Authority, HopVerdict, Jitter, RestOfSite, Scheme, Timestamp};
use verger_store::Shortage;

use crate::fetch::active_count::ActiveCount;
use crate::fetch::async_store::{AsyncStore, CALL_LEAST};
use crate::fetch::chain::FetchContext;
use crate::fetch::client_error::ClientError;
use crate::fetch::flights::{FOREVER, FetchResult, Flight, Flights};
use crate::fetch::local_knowledge::LocalKnowledge;
use crate::fetch::observer::Observer;

pub(crate) struct Fetcher {
    pub(crate) context: FetchContext,
    pub(crate) store: AsyncStore,
    pub(crate) local: LocalKnowledge,
    pub(crate) flights: Arc<Flights>,
    pub(crate) active: ActiveCount,
    pub(crate) holder: Arc<str>,
    pub(crate) jitter: Box<dyn Fn() -> Jitter + Send + Sync>,
    pub(crate) observer: Arc<dyn Observer>,
}

impl Fetcher {
    pub(crate) fn now(&self) -> Timestamp {
        self.context.clock.now()
    }

    /// Cancels all fetches and releases their leases. Later fetches are refused.
    pub(crate) async fn close(&self) {
        self.flights.close();
        self.active.end().await;
    }

    /// Returns the deadline of a call that begins now.
    pub(crate) fn deadline(&self) -> Instant {
        let now = Instant::now();
        let deadline = now.checked_add(self.context.limits.deadline);
        deadline.unwrap_or_else(|| now + FOREVER)
    }

    /// Returns knowledge as recent as `wanted`. Without a deadline, the time starts with the fetch
    /// permit.
    pub(crate) async fn find_out(
        self: &Arc<Self>,
        authority: &Authority,
        wanted: Wanted,
        deadline: Option<Instant>,
    ) -> FetchResult {
        if authority.scheme() == Scheme::Other {
            return Err(ClientError::SchemeNotFetched(Box::new(authority.clone())));
        }
        let runtime = Handle::try_current().map_err(|_| ClientError::NoRuntime)?;
        let asked = self.flights.ask(runtime, authority, wanted, deadline);
        let (mut question, departures) = asked.ok_or(ClientError::Closed)?;
        self.depart(departures);
        let found = async {
            let found = question.answer().await;
            found.unwrap_or_else(|| Err(self.cancelled(authority)))
        };
        let Some(deadline) = deadline else {
            return found.await;
        };
        // A complete reply may still need to be stored.
        let last = deadline.checked_add(CALL_LEAST).unwrap_or(deadline);
        let found = timeout_at(last, found).await;
        found.unwrap_or_else(|_| Err(ClientError::OutOfTime(Box::new(authority.clone()))))
    }

    pub(crate) fn cancelled(&self, authority: &Authority) -> ClientError {
        if self.flights.is_closed() {
            return ClientError::Closed;
        }
        ClientError::Cancelled(Box::new(authority.clone()))
    }

    /// Decides whether the robots.txt of its own authority allows the URL of a redirect. Fails only
    /// if this machine runs out of a resource. G-3xx-2.
    pub(crate) async fn ask_about_hop(
        self: &Arc<Self>,
        flight: &Flight,
        url: Url,
        deadline: Instant,
    ) -> Result<HopVerdict, Shortage> {
        let authority = Authority::from_parsed_url(&url).ok();
        let asked = authority.and_then(|authority| flight.ask_about_hop(&authority));
        let Some((mut question, departures)) = asked else {
            return Ok(HopVerdict::Unknown);
        };
        self.depart(departures);
        let outcome = timeout_at(deadline, question.answer()).await;
        let _ = flight.next(Event::Resumes).await;
        let known = match outcome.ok().flatten() {
            Some(Ok(known)) => known,
            Some(Err(ClientError::Shortage { shortage, .. })) => return Err(shortage),
            Some(Err(_)) | None => return Ok(HopVerdict::Unknown),
        };
        // An override further on closes this fetch, and is not a rule about the hop.
        let answer = self.context.answer(&known, RestOfSite::default());
        let answer = answer.filter(|answer| !answer.is_overridden());
        Ok(answer.map_or(HopVerdict::Unknown, |answer| {
            HopVerdict::new(&answer, &self.context.crawler, &url)
        }))
    }
}
