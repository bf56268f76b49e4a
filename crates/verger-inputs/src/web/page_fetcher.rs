use std::sync::Arc;
use std::time::Duration;

use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};
use tokio::time::{Instant, timeout_at};
use url::Url;
use verger::Crawler;
use verger_access::{Request, TransportFailure, web_url};
use verger_answer::PacingBounds;
use verger_client::{
    Arrival, Client, HttpReply, NetworkTransport, Received, SettingsError, Transport as _,
    TransportSettings, WireFacts,
};
use verger_html::PAGE_BYTES_MAX;
use verger_tower::{Gate, GateError};

use super::fetched_page::{FetchedPage, PageResponse};
use super::web_error::WebError;

/// Fetches pages under this program's own name. It asks robots.txt first, waits for the turn of the request, and sends
/// one GET. Redirects are not followed, and of a body one byte more is read than [`PAGE_BYTES_MAX`]. Clones share all
/// state.
#[derive(Clone, Debug)]
pub struct PageFetcher {
    gate: Gate,
    transport: Arc<NetworkTransport>,
    deadline: Duration,
}

/// The owner of the sites with the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SiteOwner {
    /// Somebody else, so a page that robots.txt disallows is not fetched.
    #[default]
    Other,
    /// Whoever asks. Pages are fetched whatever robots.txt says. Its delays are kept.
    Asker,
}

impl SiteOwner {
    /// Returns `Asker` if whoever asks owns the sites.
    #[must_use]
    pub fn asks(is_owner: bool) -> Self {
        if is_owner { Self::Asker } else { Self::Other }
    }
}

impl PageFetcher {
    /// Creates a fetcher that asks `client` about robots.txt and sends requests with `settings`. `own` is the crawler that
    /// the `User-Agent` of `settings` names. Pages that take longer than `deadline`, without the wait for the turn, have
    /// failed. Requests to a site keep its delay within `delays`.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is invalid.
    pub fn new(
        client: Client,
        mut settings: TransportSettings,
        own: Crawler,
        deadline: Duration,
        delays: PacingBounds,
    ) -> Result<Self, SettingsError> {
        settings.body_bytes_max = PAGE_BYTES_MAX + 1;
        settings.keeps_facts = true;
        Ok(Self {
            gate: Gate::new(client, own)
                .least_delay(delays.min)
                .longest_delay(delays.max),
            transport: NetworkTransport::new(settings)?.into(),
            deadline,
        })
    }

    /// Sets the longest wait for the turn of a request. Default: no limit.
    #[must_use]
    pub fn longest_wait(mut self, longest: Duration) -> Self {
        self.gate = self.gate.longest_wait(longest);
        self
    }

    /// Fetches a page. The future must run in the runtime of the client.
    ///
    /// # Errors
    ///
    /// Returns an error if robots.txt could not be asked about, if the wait would be too long, or if this machine lacks
    /// a resource. A failing server is not an error, and neither is a URL of another scheme than http and https.
    pub async fn fetch(&self, url: &str, owner: SiteOwner) -> Result<FetchedPage, WebError> {
        let Some(url) = Url::parse(url).ok().and_then(web_url) else {
            let error = WebError::new("only http and https pages are fetched");
            return Ok(FetchedPage::Failed(error));
        };
        let gate = self.gate.clone().own_sites(owner == SiteOwner::Asker);
        match gate.pass(url.as_str()).await {
            Ok(_) => self.send(url).await,
            Err(GateError::Denied(denied)) => Ok(FetchedPage::Disallowed(denied)),
            Err(error) => Err(WebError::new(error)),
        }
    }

    async fn send(&self, url: Url) -> Result<FetchedPage, WebError> {
        let html = HeaderValue::from_static("text/html, application/xhtml+xml, */*;q=0.1");
        let request = Request {
            url,
            conditions: HeaderMap::from_iter([(ACCEPT, html)]),
        };
        let end = Instant::now() + self.deadline;
        let Ok(arrival) = timeout_at(end, self.transport.send(&request, end)).await else {
            let words = format!("it took longer than {:?}", self.deadline);
            let error = WebError::of_failure(TransportFailure::Timeout, &words);
            return Ok(FetchedPage::Failed(error));
        };
        let Arrival {
            received, facts, ..
        } = arrival;
        match received {
            Received::Http(reply) => Ok(FetchedPage::Response(PageResponse {
                head: head(&reply, &facts),
                body: reply.body,
                body_end: reply.body_end,
            })),
            Received::Failure { failure, detail } => {
                Ok(FetchedPage::Failed(WebError::of_failure(failure, &detail)))
            }
            Received::NotSent { detail } => Err(WebError::new(detail)),
            Received::Shortage(shortage) => Err(WebError::new(shortage)),
            _ => Err(WebError::new("it is not on the web")),
        }
    }
}

/// Returns the head as it was sent if it was kept whole, and writes it from its parts if not.
fn head(reply: &HttpReply, facts: &WireFacts) -> Vec<u8> {
    let sent = facts.response.as_ref();
    let is_whole = |bytes: &[u8]| bytes.starts_with(b"HTTP/") && bytes.ends_with(b"\n");
    if let Some(sent) = sent.filter(|it| it.bytes_cut() == 0 && is_whole(it.bytes())) {
        return sent.bytes().to_vec();
    }
    let mut head = format!("HTTP/1.1 {}\r\n", reply.status).into_bytes();
    for (name, value) in &reply.headers {
        for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
            head.extend_from_slice(part);
        }
    }
    head.extend_from_slice(b"\r\n");
    head
}
