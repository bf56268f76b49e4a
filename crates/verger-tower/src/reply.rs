//! Converts replies of other HTTP clients for the access method.

use std::error::Error;
use std::fmt::Write;
use std::time::Duration;

use bytes::Buf;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, HeaderValue, USER_AGENT};
use http::{HeaderMap, Response};
use http_body::Body;
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout};
use verger_access::{BODY_BYTES_WANTED, BodyEnd, Request, TransportFailure};
use verger_client::{Arrival, HttpReply, KeptHead, Received, Shortage, WireFacts};

/// Maximum time to read the page of an error. After it, the status counts without the page.
const PAGE_TIME_MAX: Duration = Duration::from_secs(5);

/// Returns the headers of a request for a robots.txt. It offers no content coding, because it is unknown whether the
/// client can decode one.
pub(crate) fn headers(request: &Request, user_agent: Option<&HeaderValue>) -> HeaderMap {
    let mut headers = request.conditions.clone();
    headers.insert(ACCEPT, HeaderValue::from_static("text/plain, */*;q=0.5"));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    if let Some(user_agent) = user_agent {
        headers.insert(USER_AGENT, user_agent.clone());
    }
    headers
}

/// Reads a response, and as much of its body as is used.
pub(crate) async fn read<B>(response: Response<B>, deadline: Instant) -> Arrival
where
    B: Body,
    B::Error: Error,
{
    let (head, body) = response.into_parts();
    let mut facts = WireFacts::default();
    facts.response = Some(KeptHead::from_response(
        head.version,
        head.status,
        &head.headers,
    ));
    let reply = |body, body_end| HttpReply {
        status: head.status.as_u16(),
        headers: head.headers.clone(),
        body,
        body_end,
    };
    let mut bytes = Vec::new();
    let read = if head.status.is_redirection() {
        Ok(BodyEnd::Whole)
    } else if head.status.is_success() {
        match (collect(body, &mut bytes).await, left_coding(&head.headers)) {
            (Ok(_), Some(detail)) if !bytes.is_empty() => {
                Err((TransportFailure::ContentEncoding, detail))
            }
            (read, _) => read,
        }
    } else {
        // The page may say "not found" (G-5xx-6), but a slow one must not hide the status.
        let left = deadline.saturating_duration_since(Instant::now());
        let page = timeout(PAGE_TIME_MAX.min(left / 2), collect(body, &mut bytes)).await;
        Ok(page.map_or(BodyEnd::CutAtLimit, |end| {
            end.unwrap_or(BodyEnd::CutAtLimit)
        }))
    };
    let received = match read {
        Ok(end) => Received::Http(reply(bytes, end)),
        Err((failure, detail)) => Received::Failure { failure, detail },
    };
    Arrival {
        facts,
        ..Arrival::new(received)
    }
}

/// Returns the result of a failed request. A shortage of this machine says nothing about the site.
pub(crate) fn failed(failure: TransportFailure, error: &(dyn Error + 'static)) -> Arrival {
    let detail = with_sources(error);
    Arrival::new(match Shortage::from_error(error) {
        Some(shortage) => Received::Shortage(shortage),
        None => Received::Failure { failure, detail },
    })
}

/// Returns a content coding that the client did not decode, other than an empty name and `identity`.
fn left_coding(headers: &HeaderMap) -> Option<String> {
    let values = headers.get_all(CONTENT_ENCODING).iter();
    let mut names = values.flat_map(|value| value.as_bytes().split(|&byte| byte == b','));
    let coding = names.find(|name| {
        let name = name.trim_ascii();
        !name.is_empty() && !name.eq_ignore_ascii_case(b"identity")
    })?;
    Some(format!(
        "the client did not decode the body (`{}`)",
        coding.trim_ascii().escape_ascii()
    ))
}

async fn collect<B>(body: B, bytes: &mut Vec<u8>) -> Result<BodyEnd, (TransportFailure, String)>
where
    B: Body,
    B::Error: Error,
{
    let mut body = std::pin::pin!(body);
    while let Some(frame) = body.as_mut().frame().await {
        let frame = frame.map_err(|error| (TransportFailure::Truncated, with_sources(&error)))?;
        let Ok(mut data) = frame.into_data() else {
            continue;
        };
        while data.has_remaining() {
            let room = BODY_BYTES_WANTED - bytes.len();
            let chunk = data.chunk();
            let taken = chunk.len().min(room);
            bytes.extend_from_slice(&chunk[..taken]);
            data.advance(taken);
            if bytes.len() == BODY_BYTES_WANTED {
                return Ok(BodyEnd::CutAtLimit);
            }
        }
    }
    Ok(BodyEnd::Whole)
}

/// Formats an error and its sources, because the outermost errors of HTTP clients often say little.
fn with_sources(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        // Writing to a string does not fail.
        let _ = write!(text, ": {error}");
        source = error.source();
    }
    text
}
