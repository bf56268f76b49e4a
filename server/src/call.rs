//! `Call`: an admitted request, and everything needed to answer it.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, StatusCode, Uri};
use http_body_util::{BodyExt as _, Limited};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use crate::metrics::Shed;
use crate::problem::Problem;
use crate::query::Query;
use crate::service::{ROOM_BYTES, Service};

pub(crate) const JSON: &str = "application/json";

pub(crate) const JSON_LINES: &str = "application/x-ndjson";

pub(crate) const TEXT: &str = "text/plain";

pub(crate) const HTML: &str = "text/html";

pub(crate) const ATOM: &str = "application/atom+xml";

/// Permits that a request holds until its work is done: for a request in progress, and for its body.
pub(crate) type Places = [Option<OwnedSemaphorePermit>; 2];

/// An admitted request.
pub(crate) struct Call {
    pub(crate) service: Arc<Service>,
    pub(crate) query: Query,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Body,
    /// The permit for a request in progress. A body that is produced while it is sent keeps it.
    pub(crate) place: Option<OwnedSemaphorePermit>,
}

impl Call {
    /// The last segment of the path, as sent.
    pub(crate) fn segment(&self) -> &str {
        let path = self.uri.path();
        path.rsplit('/').next().unwrap_or_default()
    }

    /// The media type of the body, without parameters and in lower case, or empty. For an encoded body it includes the
    /// coding, which makes it unsupported.
    pub(crate) fn media_type(&self) -> String {
        let value = |name| {
            self.headers
                .get(name)
                .map_or(&b""[..], HeaderValue::as_bytes)
        };
        let essence = value(CONTENT_TYPE).split(|byte| *byte == b';').next();
        let essence = essence.unwrap_or_default().trim_ascii().escape_ascii();
        let essence = essence.to_string().to_ascii_lowercase();
        match value(CONTENT_ENCODING) {
            coding if coding.is_empty() || coding.eq_ignore_ascii_case(b"identity") => essence,
            coding => format!("{essence} with {} encoding", coding.escape_ascii()),
        }
    }

    /// Returns whether the client prefers JSON to text: by weight, or as the first of equal weights. RFC 9110 12.5.1.
    pub(crate) fn prefers_json(&self) -> bool {
        let values = self.headers.get_all(ACCEPT).iter();
        let values = values.filter_map(|value| value.to_str().ok());
        let mut best = (0.0, false);
        for range in values.flat_map(|value| value.split(',')) {
            let mut parts = range.split(';').map(str::trim);
            let essence = parts.next().unwrap_or_default();
            let weight = parts.find_map(|it| it.strip_prefix(['q', 'Q'])?.strip_prefix('='));
            let weight = weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
            let is_json = essence.eq_ignore_ascii_case(JSON);
            if weight > best.0 && (is_json || essence.eq_ignore_ascii_case(TEXT)) {
                best = (weight, is_json);
            }
        }
        best.1
    }

    /// Reads the body, which must have this media type, and returns it with the permits of the request.
    ///
    /// # Errors
    ///
    /// Returns an error if the media type differs, the body is too long or unreadable, or other bodies take all space.
    pub(crate) async fn body_of(self, media_type: &str) -> Result<(Bytes, Places), Problem> {
        let found = self.media_type();
        if found != media_type {
            return Err(unsupported(&found, &[media_type]));
        }
        let (bytes, room) = read_body(&self.service, &self.headers, self.body).await?;
        Ok((bytes, [self.place, Some(room)]))
    }
}

/// The media type of the body is not supported.
pub(crate) fn unsupported(found: &str, known: &[&str]) -> Problem {
    let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    let known = known.join(" or ");
    let found = if found.is_empty() { "none" } else { found };
    let detail = format!("unsupported media type: got {found}, send {known}");
    Problem::new(status, "media-type", detail)
}

/// Reads a whole body, and returns it with the permits for its space.
///
/// # Errors
///
/// Returns the errors of [`Call::body_of`].
pub(crate) async fn read_body(
    service: &Arc<Service>,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Bytes, OwnedSemaphorePermit), Problem> {
    let max = service.settings.body_max;
    let length = headers.get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let too_long = || {
        let detail = format!("body too large: the limit is {max} bytes (--body-max)");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body", detail)
    };
    if length.is_some_and(|length| length > max) {
        return Err(too_long());
    }
    let room = length.unwrap_or(max).div_ceil(ROOM_BYTES);
    let room = u32::try_from(room).unwrap_or(u32::MAX);
    let Ok(room) = Arc::clone(&service.room).try_acquire_many_owned(room) else {
        return Err(service.shed(Shed::Bodies, "too many request bodies"));
    };
    match Limited::new(body, max).collect().await {
        Ok(collected) => Ok((collected.to_bytes(), room)),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(too_long()),
        Err(error) => Err(Problem::why("body", "cannot read the body")(error)),
    }
}

/// Runs `work` on a thread with one of these permits. If the request is cancelled, all permits are held until the work
/// has ended.
///
/// # Errors
///
/// Returns the errors of `work`, and an error if it panicked.
pub(crate) async fn job<T: Send + 'static>(
    service: &Arc<Service>,
    permits: &Arc<Semaphore>,
    places: Places,
    work: impl FnOnce(&Service) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let permit = Arc::clone(permits).acquire_owned().await;
    let service = Arc::clone(service);
    let done = spawn_blocking(move || {
        let done = work(&service);
        drop((permit, places));
        done
    });
    done.await.map_err(Problem::defect).flatten()
}

/// Returns a response with status 200.
pub(crate) fn ok(media_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}
