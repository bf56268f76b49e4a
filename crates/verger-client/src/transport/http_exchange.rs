//! `HttpExchange`: one request over HTTP, and its final response.

use core::time::Duration;
use std::sync::Arc;

use http::header::{ACCEPT, ACCEPT_ENCODING, PROXY_AUTHORIZATION, RETRY_AFTER, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::ext::on_informational;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{CaptureConnection, capture_connection};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::{Instant, sleep};
use verger_access::{Request, TransportFailure};

use crate::transport::connection::{ConnectionInfo, ExchangeGuard};
use crate::transport::connector::Connector;
use crate::transport::content_decoding::ACCEPTED;
use crate::transport::http_body::HttpBody;
use crate::transport::http_errors::{ResponsePart, transport_error};
use crate::transport::interim_count::{INTERIM_MAX, InterimCount};
use crate::transport::transport_error::TransportError;
use crate::transport::transport_settings::{SettingsError, TransportSettings};
use crate::transport::{Arrival, HttpReply, Received};

/// Octets of the fields of a head, written as lines.
const FIELD_OCTETS_MAX: u32 = 64 * 1024;

/// Fields of a head.
const FIELDS_MAX: u16 = 100;

/// Octets of a head that are read before anybody counts: the fields and a status line.
const HEAD_OCTETS_MAX: u32 = FIELD_OCTETS_MAX + 1024;

/// The same as HTTP/2 counts: 32 octets for each field besides (RFC 9113 6.5.2).
const HEADER_LIST_SIZE_MAX: u32 = HEAD_OCTETS_MAX + 32 * FIELDS_MAX as u32;

/// Octets that a server may send ahead of who reads them, on one stream of HTTP/2 and on all of a
/// connection.
const STREAM_AHEAD_MAX: u32 = 256 * 1024;
const CONNECTION_AHEAD_MAX: u32 = 1024 * 1024;

/// Connections that are idle for longer are of no use to anybody.
const IDLE_TIMEOUT_MAX: Duration = Duration::from_secs(24 * 3600);

/// How long the page of an error is read at most. Pages of errors are short, and come with their
/// heads.
const PAGE_TIME_MAX: Duration = Duration::from_secs(2);

/// Sends requests over HTTP/1.1 and HTTP/2.
pub(crate) struct HttpExchange {
    client: Client<Connector, Empty<Bytes>>,
    /// The headers of every request.
    headers: HeaderMap,
    /// What the proxy is told of requests to `http` targets.
    proxy_authorization: Option<HeaderValue>,
    head_timeout: Duration,
    silence_timeout: Duration,
}

/// A request that brought no whole response.
struct FailedRequest {
    error: TransportError,
    connection: LostConnection,
}

/// Which connection it was lost on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LostConnection {
    /// One that had carried a response before, and was closed while it was idle.
    KeptIdle,
    Other,
}

impl HttpExchange {
    pub(crate) fn new(
        settings: &TransportSettings,
        connector: Connector,
    ) -> Result<Self, SettingsError> {
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, settings.user_agent_header()?);
        headers.insert(ACCEPT, HeaderValue::from_static("text/plain, */*;q=0.1"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(ACCEPTED));
        let proxy = connector.proxy.as_ref();
        let proxy_authorization = proxy.and_then(|proxy| proxy.authorization().cloned());
        // Nobody would look for connections that have no time: they would stay.
        let kept_per_host = match settings.idle_timeout {
            Duration::ZERO => 0,
            _ => settings.idle_connections_per_host,
        };
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(settings.idle_timeout.min(IDLE_TIMEOUT_MAX))
            .pool_max_idle_per_host(kept_per_host)
            .http1_max_buf_size(HEAD_OCTETS_MAX as usize)
            .http1_max_headers(FIELDS_MAX.into())
            // Servers are as they are: a line of junk takes nothing from the other fields.
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_ignore_invalid_headers_in_responses(true)
            .http2_max_header_list_size(HEADER_LIST_SIZE_MAX)
            .http2_initial_stream_window_size(STREAM_AHEAD_MAX)
            .http2_initial_connection_window_size(CONNECTION_AHEAD_MAX)
            .build(connector);
        Ok(Self {
            client,
            headers,
            proxy_authorization,
            head_timeout: settings.head_timeout,
            silence_timeout: settings.silence_timeout,
        })
    }

    /// Sends `request` with GET. A connection that was kept idle may have been closed meanwhile:
    /// then, and only then, the request is sent once more.
    pub(crate) async fn send(&self, request: &Request, deadline: Instant) -> Arrival {
        let mut sent = self.exchange(request, deadline).await;
        if matches!(&sent, Err(lost) if lost.connection == LostConnection::KeptIdle) {
            sent = self.exchange(request, deadline).await;
        }
        sent.unwrap_or_else(|lost| lost.error.into())
    }

    async fn exchange(
        &self,
        request: &Request,
        deadline: Instant,
    ) -> Result<Arrival, FailedRequest> {
        let mut asked = self.request(request).map_err(|error| FailedRequest {
            error,
            connection: LostConnection::Other,
        })?;
        let captured = capture_connection(&mut asked);
        let mut occupancy = None;
        let head = self.head(asked, captured.clone(), &mut occupancy).await;
        let info = (captured.connection_metadata().as_ref()).and_then(ConnectionInfo::of);
        let peer = info.as_ref().and_then(|info| info.peer);
        let response = head.map_err(|error| {
            let was_kept = info.as_ref().is_some_and(ConnectionInfo::has_answered);
            let connection = if was_kept && error.failure == TransportFailure::Reset {
                LostConnection::KeptIdle
            } else {
                LostConnection::Other
            };
            let peer = error.peer.or(peer);
            let error = error.at(peer);
            FailedRequest { error, connection }
        })?;
        let _occupancy = occupancy.or_else(|| info.as_ref().map(ConnectionInfo::occupy));
        if let Some(info) = &info {
            info.note_answer();
        }
        let has_odd_framing = info.as_ref().is_some_and(ConnectionInfo::has_odd_framing);
        let reply = self.reply(response, has_odd_framing, deadline).await;
        let reply = reply.map_err(|error| FailedRequest {
            error: error.at(peer),
            connection: LostConnection::Other,
        })?;
        let received = Received::Http(reply);
        Ok(Arrival { received, peer })
    }

    /// `request` as it is sent.
    fn request(&self, request: &Request) -> Result<http::Request<Empty<Bytes>>, TransportError> {
        let uri: Uri = request.url.as_str().parse().map_err(|error| {
            let detail = format!("the URL cannot be asked for: {error}");
            TransportError::new(TransportFailure::Protocol, detail)
        })?;
        let mut asked = http::Request::new(Empty::new());
        *asked.uri_mut() = uri;
        asked.headers_mut().clone_from(&self.headers);
        asked.headers_mut().extend(request.conditions.clone());
        // Inside a tunnel the proxy's password is nobody's business.
        if let Some(value) = &self.proxy_authorization
            && request.url.scheme() == "http"
        {
            let headers = asked.headers_mut();
            headers.insert(PROXY_AUTHORIZATION, value.clone());
        }
        Ok(asked)
    }

    /// Sends what is asked, and waits for the head of the final response.
    async fn head(
        &self,
        mut asked: http::Request<Empty<Bytes>>,
        captured: CaptureConnection,
        occupancy: &mut Option<ExchangeGuard>,
    ) -> Result<http::Response<Incoming>, TransportError> {
        let interim = Arc::new(InterimCount::default());
        let counting = Arc::clone(&interim);
        on_informational(&mut asked, move |_| counting.add_one());
        let response = tokio::select! {
            // In this order: a final response after too many interim ones comes too late.
            biased;
            () = interim.too_many() => Err(too_many_interim()),
            response = self.client.request(asked) => {
                response.map_err(|error| transport_error(&error, ResponsePart::Head))
            }
            () = elapsed(self.head_timeout, captured, occupancy) => {
                let detail = "the head of the response took too long";
                Err(TransportError::new(TransportFailure::Timeout, detail))
            }
        }?;
        verify_size(response.headers())?;
        Ok(response)
    }

    /// Reads as much of a response as is needed. Half a file is no file; but whatever becomes of the
    /// page of an error, its status is known.
    async fn reply(
        &self,
        response: http::Response<Incoming>,
        has_odd_framing: bool,
        deadline: Instant,
    ) -> Result<HttpReply, TransportError> {
        let (head, body) = response.into_parts();
        let status = head.status;
        let body = if has_odd_framing {
            HttpBody::of_odd_framing(&head.headers)
        } else if status.is_success() {
            HttpBody::read(body, &head, self.silence_timeout).await
        } else if page_may_matter(status, &head.headers) {
            HttpBody::page(body, &head, page_time(deadline)).await
        } else {
            HttpBody::none()
        };
        match body.broken {
            Some(error) if status.is_success() => Err(error),
            _ => Ok(HttpReply {
                status: status.as_u16(),
                headers: head.headers,
                body: body.octets,
                body_end: body.end,
            }),
        }
    }
}

/// Whether the page of an error may change what the error means: where it may say that nothing was
/// found. A server that asks for a pause means no such thing. G-5xx-6.
fn page_may_matter(status: StatusCode, headers: &HeaderMap) -> bool {
    status.is_server_error()
        && status != StatusCode::SERVICE_UNAVAILABLE
        && !headers.contains_key(RETRY_AFTER)
}

/// How long a page is read whose status has to be handed in before `deadline`.
fn page_time(deadline: Instant) -> Duration {
    let left = deadline.saturating_duration_since(Instant::now());
    PAGE_TIME_MAX.min(left / 2)
}

fn too_many_interim() -> TransportError {
    let detail = format!("more than {INTERIM_MAX} interim responses came");
    TransportError::new(TransportFailure::Protocol, detail)
}

/// Makes sure that a head is within its limits. Those who read it count blocks as they come.
fn verify_size(headers: &HeaderMap) -> Result<(), TransportError> {
    let line = |(name, value): (&HeaderName, &HeaderValue)| name.as_str().len() + value.len() + 4;
    let octets: usize = headers.iter().map(line).sum();
    if octets <= FIELD_OCTETS_MAX as usize && headers.len() <= FIELDS_MAX.into() {
        return Ok(());
    }
    let fields = headers.len();
    let detail = format!("the head is too long: {fields} fields of {octets} octets");
    Err(TransportError::new(TransportFailure::Protocol, detail))
}

/// Waits until `time` has passed since there is a connection, which is occupied from then on.
async fn elapsed(
    time: Duration,
    mut captured: CaptureConnection,
    occupancy: &mut Option<ExchangeGuard>,
) {
    let has_connection = {
        let connected = captured.wait_for_connection_metadata().await;
        let info = connected.as_ref().and_then(ConnectionInfo::of);
        *occupancy = info.as_ref().map(ConnectionInfo::occupy);
        connected.is_some()
    };
    if !has_connection {
        // The request is over; whoever waits for it knows why.
        std::future::pending::<()>().await;
    }
    sleep(time).await;
}
