use std::sync::Arc;
use std::time::Duration;

use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};
use tokio::time::{Instant, timeout_at};
use url::Url;
use verger::Crawler;
use verger_access::{BodyEnd, Request, TransportFailure, web_url};
use verger_answer::PacingBounds;
use verger_client::{
    Arrival, Client, HttpReply, NetworkTransport, Received, SettingsError, Transport as _,
    TransportSettings, WireFacts,
};
use verger_tower::{Denied, Gate, GateError};

use super::web_error::WebError;

/// Maximum size of a page in bytes, decoded. The rest of a longer page is not read.
pub const PAGE_BYTES_MAX: usize = 1 << 20;

/// The product token of this program in robots.txt.
const OWN_TOKEN: &str = "Verger";

/// Fetches pages under this program's own name. It asks robots.txt first, waits for the turn of the request, and sends
/// one GET. Redirects are not followed. Clones share all state.
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

/// The result of a fetch.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FetchedPage {
    /// A response.
    Response(PageResponse),
    /// Nothing was sent, because robots.txt disallows the page to this program.
    Disallowed(Box<Denied>),
    /// No complete response arrived, for this reason.
    Failed(WebError),
}

/// A response, as far as it was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PageResponse {
    /// The head, with status line and fields. Over HTTP/1 these are the bytes that the server sent, if they are at most
    /// 16 KiB. In other heads, fields of one name are together.
    pub head: Vec<u8>,
    /// The body of a 2xx response, decoded, up to [`PAGE_BYTES_MAX`] bytes.
    pub body: Vec<u8>,
    /// Whether the body has more bytes.
    pub body_end: BodyEnd,
}

impl PageFetcher {
    /// Creates a fetcher that asks `client` about robots.txt and sends requests with `settings`. Pages that take longer
    /// than `deadline`, without the wait for the turn, have failed. Requests to a site keep its delay within `delays`.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is invalid.
    pub fn new(
        client: Client,
        mut settings: TransportSettings,
        deadline: Duration,
        delays: PacingBounds,
    ) -> Result<Self, SettingsError> {
        settings.body_bytes_max = PAGE_BYTES_MAX;
        settings.keeps_facts = true;
        let own = OWN_TOKEN.parse().unwrap_or_else(|_| Crawler::unnamed());
        Ok(Self {
            gate: Gate::new(client, own)
                .least_delay(delays.min)
                .longest_delay(delays.max),
            transport: NetworkTransport::new(settings)?.into(),
            deadline,
        })
    }

    /// Fetches a page. The future must run in the runtime of the client.
    ///
    /// # Errors
    ///
    /// Returns an error if `url` is not an http or https URL, if robots.txt could not be asked about, or if this
    /// machine lacks a resource. A failing server is not an error.
    pub async fn fetch(&self, url: &str, owner: SiteOwner) -> Result<FetchedPage, WebError> {
        let url = Url::parse(url).ok().and_then(web_url);
        let url = url.ok_or_else(|| WebError::new("it is not an http or https URL"))?;
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
