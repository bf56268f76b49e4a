//! `RobotsTxtResponder`: serves a robots.txt.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderValue, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{Method, Request, Response, StatusCode};
use tower_service::Service;
use verger::DiagnosticKind;

use crate::body_warning::body_warnings;
use crate::entity_tag::EntityTag;
use crate::response_body::ResponseBody;

/// "Crawlers SHOULD NOT use the cached version for more than 24 hours." R9309-2.4-3.
const MAX_AGE_MAX: Duration = Duration::from_secs(24 * 60 * 60);

const MAX_AGE: Duration = Duration::from_secs(60 * 60);

/// "The rules MUST be accessible in a file named \"/robots.txt\" (all lowercase) in the top-level
/// path of the service." R9309-2.3-1.
const PATH: &str = "/robots.txt";

/// Serves a robots.txt, as a [`Service`] that is cheap to clone, or with [`respond`](RobotsTxtResponder::respond).
///
/// | request | response |
/// |---|---|
/// | GET, HEAD of `/robots.txt` | 200, or 304 if `If-None-Match` contains the tag of the file |
/// | another method | 405 with `Allow` |
/// | another path | 404 |
#[derive(Clone, Debug)]
pub struct RobotsTxtResponder(Arc<ResponderState>);

#[derive(Clone, Debug)]
enum ResponderState {
    Serving(ServedFile),
    /// 503 with `Retry-After`.
    Suspended {
        retry_after_seconds: u64,
    },
}

#[derive(Clone, Debug)]
struct ServedFile {
    bytes: Bytes,
    /// Always `Some`, because a tag is a valid header value.
    entity_tag: Option<EntityTag>,
    max_age: Duration,
    warnings: Vec<DiagnosticKind<'static>>,
}

impl RobotsTxtResponder {
    /// Serves `body` unchanged, with a lifetime of one hour.
    #[must_use]
    pub fn new(body: impl Into<Bytes>) -> Self {
        let bytes = body.into();
        Self(Arc::new(ResponderState::Serving(ServedFile {
            entity_tag: EntityTag::of(&bytes).ok(),
            max_age: MAX_AGE,
            warnings: body_warnings(&bytes),
            bytes,
        })))
    }

    /// Suspends crawling: answers 503 with `Retry-After` in seconds, rounded up, to every method and path, so it can
    /// answer for the whole site. R9309-2.3.1.4-1, G-5xx-5.
    ///
    /// While robots.txt returns 503, crawlers without a copy fetch nothing from the site. Use it only for hours: later
    /// some crawlers continue with their last copy, and after 30 days some act as if the file did not exist.
    ///
    /// ```
    /// use std::time::Duration;
    /// use verger_tower::RobotsTxtResponder;
    ///
    /// let suspended = RobotsTxtResponder::unavailable(Duration::from_secs(3600));
    /// let response = suspended.respond(&http::Request::new(()));
    /// assert_eq!((response.status(), &response.headers()["retry-after"]), (
    ///     http::StatusCode::SERVICE_UNAVAILABLE,
    ///     &http::HeaderValue::from_static("3600"),
    /// ));
    /// ```
    #[must_use]
    pub fn unavailable(retry_after: Duration) -> Self {
        Self(Arc::new(ResponderState::Suspended {
            retry_after_seconds: retry_after
                .as_secs()
                .saturating_add(u64::from(retry_after.subsec_nanos() > 0)),
        }))
    }

    /// Sets the lifetime in whole seconds. The maximum is 24 hours, because crawlers should not cache the file longer.
    /// R9309-2.4-3. It has no effect on a suspension.
    #[must_use]
    pub fn with_max_age(mut self, max_age: Duration) -> Self {
        if let ResponderState::Serving(file) = Arc::make_mut(&mut self.0) {
            file.max_age = max_age.min(MAX_AGE_MAX);
        }
        self
    }

    /// Returns the engine's diagnostics about the file as a whole: it is not UTF-8, longer than the 512,000 bytes that
    /// crawlers read, compressed, or an HTML page. The file is served anyway. R9309-2.3-2, R9309-2.5-1.
    #[must_use]
    pub fn warnings(&self) -> &[DiagnosticKind<'static>] {
        match &*self.0 {
            ResponderState::Serving(file) => &file.warnings,
            ResponderState::Suspended { .. } => &[],
        }
    }

    /// Responds to a request. Its body is ignored.
    #[must_use]
    pub fn respond<B>(&self, request: &Request<B>) -> Response<ResponseBody> {
        let response = match &*self.0 {
            ResponderState::Suspended {
                retry_after_seconds,
            } => suspension(*retry_after_seconds),
            ResponderState::Serving(_) if request.uri().path() != PATH => {
                refusal(StatusCode::NOT_FOUND)
            }
            ResponderState::Serving(file) => match *request.method() {
                Method::GET | Method::HEAD => file.respond(request),
                _ => method_refusal(),
            },
        };
        if request.method() == Method::HEAD {
            // The headers are those of a GET, including its length (RFC 9110 9.3.2).
            return response.map(|_| ResponseBody::default());
        }
        response
    }
}

impl ServedFile {
    fn respond<B>(&self, request: &Request<B>) -> Response<ResponseBody> {
        let tag = self.entity_tag.as_ref();
        let is_known = tag.is_some_and(|tag| tag.matches(request.headers()));
        let mut response = if is_known {
            let mut response = Response::new(ResponseBody::default());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        } else {
            text(StatusCode::OK, self.bytes.clone())
        };
        let headers = response.headers_mut();
        if let Some(tag) = tag {
            headers.insert(ETAG, tag.value());
        }
        let cache_control = format!("public, max-age={}", self.max_age.as_secs());
        if let Ok(value) = HeaderValue::try_from(cache_control) {
            headers.insert(CACHE_CONTROL, value);
        }
        response
    }
}

/// Makes a response with a text. R9309-2.3-2.
fn text(status: StatusCode, bytes: Bytes) -> Response<ResponseBody> {
    let length = HeaderValue::from(bytes.len());
    let mut response = Response::new(ResponseBody::new(bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let text_plain = HeaderValue::from_static("text/plain; charset=utf-8");
    headers.insert(CONTENT_TYPE, text_plain);
    headers.insert(CONTENT_LENGTH, length);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

fn refusal(status: StatusCode) -> Response<ResponseBody> {
    let reason = status.canonical_reason().unwrap_or_default();
    text(status, Bytes::from_static(reason.as_bytes()))
}

fn method_refusal() -> Response<ResponseBody> {
    let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED);
    let headers = response.headers_mut();
    headers.insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}

fn suspension(retry_after_seconds: u64) -> Response<ResponseBody> {
    let mut response = refusal(StatusCode::SERVICE_UNAVAILABLE);
    let headers = response.headers_mut();
    headers.insert(RETRY_AFTER, HeaderValue::from(retry_after_seconds));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

impl<B> Service<Request<B>> for RobotsTxtResponder {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        ready(Ok(self.respond(&request)))
    }
}
