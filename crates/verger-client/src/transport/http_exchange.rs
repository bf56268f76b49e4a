//! `HttpExchange`: sends one request over HTTP and receives its final response.

use core::time::Duration;
use std::sync::Arc;

use http::header::{ACCEPT, ACCEPT_ENCODING, PROXY_AUTHORIZATION, RETRY_AFTER, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::ext::on_informational;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{CaptureConnection, capture_connection};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::{Instant, sleep};
use verger_access::{BodyEnd, Request, TransportFailure};
use verger_store::KeptHead;

use crate::transport::connection::{ConnectionInfo, ExchangeGuard, HttpMode};
use crate::transport::connector::Connector;
use crate::transport::content_decoding::ACCEPTED;
use crate::transport::http_body::HttpBody;
use crate::transport::http_errors::{ResponsePart, transport_error};
use crate::transport::interim_count::{InterimCount, too_many_interim};
use crate::transport::proxies::Proxies;
use crate::transport::settings_error::SettingsError;
use crate::transport::transport_error::TransportError;
use crate::transport::transport_settings::TransportSettings;
use crate::transport::wire_facts::WireFacts;
use crate::transport::{Arrival, HttpReply, Received};

/// Maximum size of a head's fields, in bytes.
const FIELD_BYTES_MAX: u32 = 64 * 1024;

/// Maximum number of fields in a head.
const FIELDS_MAX: u16 = 100;

/// Maximum bytes that the HTTP library reads of a head: fields and status line.
const HEAD_BYTES_MAX: u32 = FIELD_BYTES_MAX + 1024;

/// The limit for HTTP/2, which adds 32 bytes per field (RFC 9113 6.5.2).
const HEADER_LIST_SIZE_MAX: u32 = HEAD_BYTES_MAX + 32 * FIELDS_MAX as u32;

/// HTTP/2 flow-control windows: unread bytes that a server may send, per stream and per connection.
const STREAM_AHEAD_MAX: u32 = 256 * 1024;
const CONNECTION_AHEAD_MAX: u32 = 1024 * 1024;

/// Maximum idle timeout. Servers close connections earlier.
const IDLE_TIMEOUT_MAX: Duration = Duration::from_secs(24 * 3600);

/// Maximum time to read an error page. Such pages are short and arrive with their heads.
const PAGE_TIME_MAX: Duration = Duration::from_secs(2);

pub(crate) struct HttpExchange {
    client: Client<Connector, Full<Bytes>>,
    headers: HeaderMap,
    /// Provides `Proxy-Authorization` for requests to `http` URLs.
    proxies: Arc<Proxies>,
    head_timeout: Duration,
    silence_timeout: Duration,
    body_bytes_max: usize,
    keeps_facts: bool,
}

struct FailedRequest {
    error: TransportError,
    connection: LostConnection,
    facts: WireFacts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LostConnection {
    /// A pooled connection, which the server may have closed while idle.
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
        let proxies = Arc::clone(&connector.proxies);
        // With an idle timeout of zero, the pool would never remove connections.
        let kept_per_host = match settings.idle_timeout {
            Duration::ZERO => 0,
            _ => settings.idle_connections_per_host,
        };
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(settings.idle_timeout.min(IDLE_TIMEOUT_MAX))
            .pool_max_idle_per_host(kept_per_host)
            .http1_max_buf_size(HEAD_BYTES_MAX as usize)
            .http1_max_headers(FIELDS_MAX.into())
            // A malformed line must not invalidate the other fields.
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
            proxies,
            head_timeout: settings.head_timeout,
            silence_timeout: settings.silence_timeout,
            body_bytes_max: settings.body_bytes_max,
            keeps_facts: settings.keeps_facts,
        })
    }

    /// Sends `request` with GET. Sends it again only if its pooled connection had been closed
    /// meanwhile.
    pub(crate) async fn send(&self, request: &Request, deadline: Instant) -> Arrival {
        let mut sent = self.exchange(request, deadline).await;
        if matches!(&sent, Err(lost) if lost.connection == LostConnection::KeptIdle) {
            sent = self.exchange(request, deadline).await;
        }
        sent.unwrap_or_else(|lost| Arrival {
            facts: lost.facts,
            ..lost.error.into()
        })
    }

    /// Sends `body` with POST, once, and reads only the head of the response.
    pub(crate) async fn post(&self, request: &Request, body: Bytes) -> Arrival {
        let sent = async {
            let mut posted = self.request(request)?;
            *posted.method_mut() = Method::POST;
            *posted.body_mut() = Full::new(body);
            let captured = capture_connection(&mut posted);
            let head = self.head(posted, captured.clone(), None, &mut None).await;
            let info = (captured.connection_metadata().as_ref()).and_then(ConnectionInfo::of);
            let peer = info.as_ref().and_then(|info| info.peer);
            let (head, _) = head.map_err(|error| error.at(peer))?.into_parts();
            let received = Received::Http(HttpReply {
                status: head.status.as_u16(),
                headers: head.headers,
                body: Vec::new(),
                body_end: BodyEnd::CutAtLimit,
            });
            Ok(Arrival {
                peer,
                ..Arrival::new(received)
            })
        };
        sent.await
            .unwrap_or_else(|error: TransportError| error.into())
    }

    async fn exchange(
        &self,
        request: &Request,
        deadline: Instant,
    ) -> Result<Arrival, FailedRequest> {
        let mut asked = self.request(request).map_err(|error| FailedRequest {
            error,
            connection: LostConnection::Other,
            facts: WireFacts::default(),
        })?;
        let captured = capture_connection(&mut asked);
        let mut exchange = None;
        let head = self.head(asked, captured.clone(), Some(deadline), &mut exchange);
        let head = head.await;
        let info = (captured.connection_metadata().as_ref()).and_then(ConnectionInfo::of);
        let peer = info.as_ref().and_then(|info| info.peer);
        let occupancy = exchange.or_else(|| info.as_ref().map(ConnectionInfo::begin_exchange));
        let sent = occupancy.as_ref().map(|exchange| exchange.begun);
        let facts = self.facts(request, info.as_ref(), sent, head.as_ref().ok());
        let head = head.and_then(|head| of_the_site(head, info.as_ref()));
        let mut response = head.map_err(|error| {
            let was_kept = info.as_ref().is_some_and(ConnectionInfo::has_answered);
            let connection = if was_kept && error.failure == TransportFailure::Reset {
                LostConnection::KeptIdle
            } else {
                LostConnection::Other
            };
            let peer = error.peer.or(peer);
            let error = error.at(peer);
            FailedRequest {
                error,
                connection,
                facts: facts.clone(),
            }
        })?;
        if let Some(info) = &info {
            info.note_answer();
            info.restore_dropped(response.headers_mut());
        }
        let has_odd_framing = info.as_ref().is_some_and(ConnectionInfo::has_odd_framing);
        let reply = self.reply(response, has_odd_framing, deadline).await;
        let reply = reply.map_err(|error| FailedRequest {
            error: error.at(peer),
            connection: LostConnection::Other,
            facts: facts.clone(),
        })?;
        let received = Received::Http(reply);
        Ok(Arrival {
            received,
            peer,
            facts,
        })
    }

    /// Returns the facts so far. Over HTTP/1 these include the heads as sent.
    fn facts(
        &self,
        request: &Request,
        info: Option<&ConnectionInfo>,
        sent: Option<Instant>,
        response: Option<&http::Response<Incoming>>,
    ) -> WireFacts {
        let Some(info) = info else {
            return WireFacts::default();
        };
        let [request, response] = match info.mode {
            HttpMode::Http1 | HttpMode::Http1ToProxy => info.take_heads(),
            HttpMode::Http2 if !self.keeps_facts => [None, None],
            HttpMode::Http2 => {
                let asked = self.request(request).ok().map(|it| {
                    let (method, uri) = (it.method(), it.uri());
                    KeptHead::from_request(method, uri, Version::HTTP_2, it.headers())
                });
                let head = response
                    .map(|it| KeptHead::from_response(Version::HTTP_2, it.status(), it.headers()));
                [asked, head]
            }
        };
        WireFacts {
            sent,
            request,
            response,
            tls: info.tls.as_deref().cloned(),
        }
    }

    fn request(&self, request: &Request) -> Result<http::Request<Full<Bytes>>, TransportError> {
        let uri: Uri = request.url.as_str().parse().map_err(|error| {
            let detail = format!("the URL cannot be asked for: {error}");
            TransportError::new(TransportFailure::Protocol, detail)
        })?;
        let mut asked = http::Request::new(Full::default());
        *asked.uri_mut() = uri;
        asked.headers_mut().clone_from(&self.headers);
        asked.headers_mut().extend(request.conditions.clone());
        // A tunnelled request goes to the server, which must not see the proxy's password.
        if request.url.scheme() == "http"
            && let (Some(host), Some(port)) =
                (request.url.host(), request.url.port_or_known_default())
            && let Some(proxy) = self.proxies.of(false, &host, port)
            && let Some(value) = proxy.authorization()
        {
            let headers = asked.headers_mut();
            headers.insert(PROXY_AUTHORIZATION, value.clone());
        }
        Ok(asked)
    }

    async fn head(
        &self,
        mut asked: http::Request<Full<Bytes>>,
        captured: CaptureConnection,
        deadline: Option<Instant>,
        exchange: &mut Option<ExchangeGuard>,
    ) -> Result<http::Response<Incoming>, TransportError> {
        let interim = Arc::new(InterimCount::default());
        let counting = Arc::clone(&interim);
        on_informational(&mut asked, move |_| counting.add_one());
        let response = tokio::select! {
            // Biased, because too many interim responses are an error even if a final one follows.
            biased;
            () = interim.too_many() => Err(too_many_interim()),
            response = self.client.request(asked) => {
                response.map_err(|error| transport_error(&error, ResponsePart::Head))
            }
            limit = elapsed(self.head_timeout, deadline, captured, exchange) => {
                Err(TransportError::timeout("no reply", limit))
            }
        }?;
        verify_size(response.headers())?;
        Ok(response)
    }

    /// Reads as much of a response as is needed. The body of a 2xx must be complete. An error's
    /// status is valid whatever happens to its page.
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
            HttpBody::read(body, &head, self.silence_timeout, self.body_bytes_max).await
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
                body: body.bytes,
                body_end: body.end,
            }),
        }
    }
}

/// Returns `true` if an error page may matter. A 5xx page may say "not found", unless the server
/// asks the client to retry later. G-5xx-6.
fn page_may_matter(status: StatusCode, headers: &HeaderMap) -> bool {
    status.is_server_error()
        && status != StatusCode::SERVICE_UNAVAILABLE
        && !headers.contains_key(RETRY_AFTER)
}

/// Returns the time for reading a page, which leaves time to return the status before `deadline`.
fn page_time(deadline: Instant) -> Duration {
    let left = deadline.saturating_duration_since(Instant::now());
    PAGE_TIME_MAX.min(left / 2)
}

/// Rejects statuses about the proxy itself. Over `http` they replace the site's response. RFC 9110
/// 15.5.8
fn of_the_site(
    response: http::Response<Incoming>,
    info: Option<&ConnectionInfo>,
) -> Result<http::Response<Incoming>, TransportError> {
    let is_to_proxy = info.is_some_and(|info| info.mode == HttpMode::Http1ToProxy);
    if is_to_proxy && response.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED {
        let detail = "the proxy asks for a user name and a password (407)";
        return Err(TransportError::new(TransportFailure::Connect, detail));
    }
    Ok(response)
}

/// Checks the limits of a head. The HTTP library counts whole reads, so it may read more.
fn verify_size(headers: &HeaderMap) -> Result<(), TransportError> {
    let line = |(name, value): (&HeaderName, &HeaderValue)| name.as_str().len() + value.len() + 4;
    let bytes: usize = headers.iter().map(line).sum();
    if bytes <= FIELD_BYTES_MAX as usize && headers.len() <= FIELDS_MAX.into() {
        return Ok(());
    }
    let fields = headers.len();
    let detail = format!("the head is too long: {fields} fields of {bytes} bytes");
    Err(TransportError::new(TransportFailure::Protocol, detail))
}

/// Waits until `time` has passed since the request got a connection, or until `deadline`, and counts the exchange on
/// the connection. Returns the time that the server had.
async fn elapsed(
    time: Duration,
    deadline: Option<Instant>,
    mut captured: CaptureConnection,
    exchange: &mut Option<ExchangeGuard>,
) -> Duration {
    let has_connection = {
        let connected = captured.wait_for_connection_metadata().await;
        let info = connected.as_ref().and_then(ConnectionInfo::of);
        *exchange = info.as_ref().map(ConnectionInfo::begin_exchange);
        connected.is_some()
    };
    if !has_connection {
        // The request has failed. Its own future returns the error.
        std::future::pending::<()>().await;
    }
    let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
    // If the deadline has passed, the caller ends the request.
    let left = left.filter(|left| !left.is_zero());
    let limit = left.map_or(time, |left| left.min(time));
    sleep(limit).await;
    limit
}
